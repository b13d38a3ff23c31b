// Scales and ticks of charts.

// Ticks of a logarithmic axis: 1, 2 and 5 times powers of ten, or fewer of them.
function logTicks(low, high) {
  const ticks = [];
  const decades = Math.log10(high / low);
  const steps = decades > 4 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low && value <= high) ticks.push(Number(value.toPrecision(6)));
    }
  }
  return ticks;
}

// About `count` round ticks of a linear axis.
function linearTicks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((s) => s * power >= rough) * power;
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    ticks.push(Number((k * step).toPrecision(10)));
  }
  return ticks;
}

function logScale(low, high, from, to) {
  const [a, b] = [Math.log(low), Math.log(high)];
  return (value) => from + ((Math.log(value) - a) / (b - a)) * (to - from);
}

function linearScale(low, high, from, to) {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}
