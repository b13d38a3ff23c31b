// Sliders: the answer of the network for values that the reader sets, and what each of them
// contributes. A contribution is how much smaller the lead of the answer would be if the column
// had its start value.
const MAX_SLIDERS = 30;

function startWhatIf() {
  const program = dataOf("what-if-data");
  if (!program) return;
  const controls = byId("what-if-controls"), answer = byId("what-if-answer");
  const start = program.columns.map((column) => column.fill);
  const row = [...start];
  const resets = [];
  const shows = [];

  const slider = (column, index) => {
    const label = element("label", undefined, "slider");
    label.append(element("span", column.name, "slider-name"));
    const part = element("span", "", "part");
    shows[index] = part;
    if (column.words) {
      const field = element("select");
      for (const [value, word] of column.words.entries()) field.append(new Option(word, value));
      field.append(new Option("another word", -1), new Option("missing", ""));
      field.addEventListener("input", () => {
        row[index] = field.value === "" ? null : Number(field.value);
        show();
      });
      resets.push(() => {
        field.value = start[index];
      });
      label.append(field, part);
      return label;
    }
    const fill = column.fill;
    let low = column.low ?? fill - 1, high = column.high ?? fill + 1;
    if (low === high) [low, high] = [low - 1, high + 1];
    const range = element("input"), field = element("input");
    range.type = "range";
    field.type = "number";
    field.step = "any";
    field.setAttribute("aria-label", `${column.name}, as a number`);
    range.min = low;
    range.max = high;
    range.step = column.whole && high - low >= 1 ? 1 : (high - low) / 200;
    range.addEventListener("input", () => {
      row[index] = Number(range.value);
      field.value = Number(Number(range.value).toPrecision(6));
      show();
    });
    field.addEventListener("input", () => {
      row[index] = field.value === "" ? null : Number(field.value);
      if (field.value !== "") range.value = field.value;
      show();
    });
    resets.push(() => {
      range.value = fill;
      field.value = Number(fill.toPrecision(6));
    });
    const both = element("span", undefined, "both");
    both.append(range, field);
    label.append(both, part);
    return label;
  };

  // What each value adds to a number, compared with its start value.
  const showParts = (figure, meaning) => {
    const now = figure(row);
    for (const [index, part] of shows.entries()) {
      const other = [...row];
      other[index] = start[index];
      const gained = now - figure(other);
      const isZero = Math.abs(gained) < Math.max(5e-4, 1e-9 * Math.abs(now));
      part.textContent = isZero ? "" : (gained > 0 ? "+" : "") + digits(gained);
      part.className = gained < 0 ? "part minus" : "part plus";
      part.title = meaning;
    }
  };

  const showValues = () => {
    const bars = element("div", undefined, "values");
    for (const [index, value] of valuesOf(program, row).entries()) {
      bars.append(element("span", program.targets[index].name), element("b", digits(value, 6), "value"));
    }
    answer.replaceChildren(bars);
    showParts((cells) => valuesOf(program, cells)[0], `what this value adds to ${program.targets[0].name}`);
  };

  const showClasses = () => {
    const probabilities = probabilitiesOf(program, row);
    const best = probabilities.indexOf(Math.max(...probabilities));
    const head = element("b", program.classes[best]);
    const bars = element("div", undefined, "bars");
    for (const [index, name] of program.classes.entries()) {
      const bar = element("span", undefined, "bar");
      bar.style.width = `${100 * probabilities[index]}%`;
      const track = element("span", undefined, "track");
      track.append(bar);
      const label = element("span", name, index === best ? "name best" : "name");
      bars.append(label, track, element("span", probabilities[index].toFixed(3), "value"));
    }
    answer.replaceChildren(head, bars);
    showParts((cells) => leadOf(program, cells, best), `what this value adds to the lead of ${program.classes[best]}`);
  };
  const show = program.targets.length ? showValues : showClasses;

  const more = element("details");
  more.append(element("summary", `${program.columns.length - MAX_SLIDERS} more columns`));
  const rest = element("div", undefined, "sliders");
  more.append(rest);
  for (const [index, column] of program.columns.entries()) {
    (index < MAX_SLIDERS ? controls : rest).append(slider(column, index));
  }
  if (program.columns.length > MAX_SLIDERS) controls.after(more);
  const reset = () => {
    for (const [index, value] of start.entries()) row[index] = value;
    for (const each of resets) each();
    show();
  };
  byId("what-if-reset").addEventListener("click", reset);
  reset();
}
