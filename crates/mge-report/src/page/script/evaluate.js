// Evaluates a network. A row has one value for each column of the program: a number, the index of a
// word (-1 for another word), or null for a missing cell.
const ACTIVATIONS = {/*activations*/};

// The scaled features of a row, rounded to 32-bit floats as the program does.
function featuresOf(program, row) {
  return program.features.map(([column, take, offset, factor]) => {
    const cell = row[column], { words, fill } = program.columns[column];
    const isMissing = cell === null;
    let value;
    if (take === "missing") value = isMissing ? 1 : 0;
    else if (!words) value = isMissing ? fill : cell;
    else {
      const index = isMissing ? fill : cell;
      value = take === "ordinal" ? (index < 0 ? fill : index) : index === take ? 1 : 0;
    }
    const scaled = Math.fround(Math.fround(Math.fround(value) - Math.fround(offset)) * Math.fround(factor));
    return Math.max(-1e30, Math.min(1e30, scaled));
  });
}

// The sum of each output.
function scoresOf(program, row) {
  const values = featuresOf(program, row);
  const sum = (bias, links) => {
    let total = 0;
    for (const [source, weight] of links) total += Math.fround(weight) * values[source];
    return total + Math.fround(bias);
  };
  for (const [activation, bias, links] of program.neurons) {
    values.push(ACTIVATIONS[activation](sum(bias, links)));
  }
  return program.outputs.map(([bias, links]) => sum(bias, links));
}

// The probability of each class.
function probabilitiesOf(program, row) {
  const bounded = (z) => (Number.isNaN(z) ? 0 : Math.max(-1e300, Math.min(1e300, z)));
  const sums = scoresOf(program, row).map(bounded);
  if (sums.length === 1) return [1 / (1 + Math.exp(sums[0])), 1 / (1 + Math.exp(-sums[0]))];
  const largest = Math.max(...sums);
  const exps = sums.map((z) => Math.exp(z - largest));
  const total = exps.reduce((a, b) => a + b, 0);
  return exps.map((exp) => exp / total);
}

// The numbers that a program for numbers predicts.
function valuesOf(program, row) {
  return scoresOf(program, row).map((sum, index) => {
    const { mean, deviation } = program.targets[index];
    return mean + deviation * sum;
  });
}

// The lead of a class over the best other one, in the units of the scores.
function leadOf(program, row, index) {
  const sums = scoresOf(program, row);
  if (sums.length === 1) return index === 1 ? sums[0] : -sums[0];
  return sums[index] - Math.max(...sums.filter((_, other) => other !== index));
}
