// The chart of the front: quality against size. Pointing at a network shows its figures, a click
// opens it beneath. `draw` makes the chart anew for each width and choice of axes.
const WORDS = { operations: "operations of one prediction", bytes: "bytes as int8" };

// The points that no point with the same or a smaller size beats, by rising size.
function bestOfEachSize(points, x, y) {
  const better = (a, b) => (y === "loss" ? a[y] < b[y] : a[y] > b[y]);
  const order = [...points].sort((a, b) => a[x] - b[x] || (better(a, b) ? -1 : 1));
  const front = [];
  for (const point of order) {
    if (!front.length || better(point, front[front.length - 1])) front.push(point);
  }
  return front;
}

// Labels beside their marks, at the side and height where they cover neither an earlier one nor a
// point. One that has no such place is left out; pointing at the mark shows its name.
function placeLabels(labels, points, { left, right, top, bottom }) {
  const placed = [];
  const isFree = ({ from, to, y }) => from >= left && to <= right && y >= top && y <= bottom
    && placed.every((other) => to < other.from || from > other.to || Math.abs(other.y - y) >= 14)
    && points.every(([x, height]) => x < from - 5 || x > to + 5 || height < y - 16 || height > y + 7);
  for (const label of labels) {
    const length = 7 * label.name.length;
    const spots = [0, 7, -7, 14, -14, 21, -21, 28, -28, 40, -40].flatMap((step) => {
      const y = label.y + step;
      return [
        { anchor: "start", x: label.x + 10, from: label.x + 10, to: label.x + 10 + length, y },
        { anchor: "end", x: label.x - 10, from: label.x - 10 - length, to: label.x - 10, y },
      ];
    });
    const spot = spots.find(isFree);
    if (spot) placed.push({ ...label, ...spot });
  }
  return placed;
}

// Shows lines in a box near a point of a chart, inside the chart's width.
function placeHover(hover, box, lines, [x, y]) {
  hover.replaceChildren(...lines.map((line) => element("div", line)));
  hover.hidden = false;
  const left = Math.max(0, Math.min(x - hover.offsetWidth / 2, box.clientWidth - hover.offsetWidth));
  const above = y - hover.offsetHeight - 12;
  hover.style.left = `${box.offsetLeft + left}px`;
  hover.style.top = `${box.offsetTop + (above < 0 ? y + 14 : above)}px`;
}

function startFront() {
  const data = dataOf("front-data");
  const box = byId("front-chart");
  if (!data || !box) return;
  const { points, part, open, measure } = data;
  const baselines = data.baselines || [];
  const hover = byId("front-hover");
  const detail = byId("front-detail");
  const table = byId("front-table");
  const axes = { x: "operations", y: "accuracy" };
  const chosenIndex = points.findIndex((point) => point.chosen);
  let selected = null;
  let marks = [];

  const figures = (point) => {
    const lines = [`${point.operations} operations` + (point.bytes ? `, ${point.bytes} bytes` : "")];
    lines.push(`${part} ${measure} ${point.accuracy.toFixed(4)}`);
    if (point.loss !== undefined) lines.push(`${part} loss ${point.loss.toFixed(4)} ± ${point.error.toFixed(4)}`);
    if (point.neurons !== undefined) {
      lines.push(`${point.neurons} neurons, ${point.connections} connections, ${point.features} features`);
    }
    return lines;
  };

  const showHover = (lines, ...at) => placeHover(hover, box, lines, at);
  const hideHover = () => {
    hover.hidden = true;
  };

  const select = (index, byHand) => {
    selected = index;
    for (const mark of marks) mark.group.classList.toggle("selected", mark.index === index);
    for (const row of table ? table.tBodies[0].rows : []) {
      const isOwn = Number(row.dataset.index) === index;
      row.classList.toggle("selected", isOwn);
      if (isOwn && byHand) {
        const tall = table.parentElement;
        tall.scrollTop = row.offsetTop - tall.clientHeight / 2;
      }
    }
    const template = byId(`front-${index}`);
    if (!detail || !template) return;
    detail.replaceChildren(template.content.cloneNode(true));
    markOverflow();
    if (!byHand) detail.scrollIntoView({ block: "nearest" });
  };

  const draw = () => {
    hideHover();
    const { x, y } = axes;
    const width = Math.max(260, box.clientWidth);
    const isNarrow = width < 560;
    const height = Math.round(Math.min(460, Math.max(270, width * 0.48)));
    const edge = { left: isNarrow ? 44 : 56, right: 18, top: 16, bottom: 44 };
    const known = baselines.filter((baseline) => baseline[y] !== undefined);
    const placed = known.filter((baseline) => baseline[x] > 0);
    const sizes = [...points, ...placed].map((point) => point[x]);
    const qualities = [...points, ...placed].map((point) => point[y]);
    const pad = Math.max(1.12, (Math.max(...sizes) / Math.min(...sizes)) ** 0.04);
    const [left, right] = [Math.min(...sizes) / pad, Math.max(...sizes) * pad];
    const margin = 0.06 * (Math.max(...qualities) - Math.min(...qualities)) || 0.05;
    const lowest = Math.min(...qualities) - margin;
    const low = measure === "accuracy" || y === "loss" ? Math.max(0, lowest) : lowest;
    let high = Math.max(...qualities) + margin;
    if (y === "accuracy") high = Math.min(1, high);
    const toX = logScale(left, right, edge.left, width - edge.right);
    // Better is always up.
    const [bottom, top] = y === "loss" ? [high, low] : [low, high];
    const toY = linearScale(bottom, top, height - edge.bottom, edge.top);

    const svg = shape("svg", {
      class: "front-plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
      "aria-label": `${part} ${y === "loss" ? y : measure} against ${WORDS[x]}`,
    });
    const text = (content, at, attributes) => shape("text", { x: at[0], y: at[1], ...attributes }, content);
    for (const value of linearTicks(low, high, isNarrow ? 4 : 6)) {
      svg.append(shape("path", { class: "grid-line", d: `M${edge.left} ${toY(value)}H${width - edge.right}` }));
      svg.append(text(number(value), [edge.left - 7, toY(value) + 4], { "text-anchor": "end" }));
    }
    let free = -Infinity;
    for (const value of logTicks(left, right)) {
      svg.append(shape("path", { class: "tick", d: `M${toX(value)} ${height - edge.bottom}v5` }));
      const label = value.toLocaleString("en-US");
      if (toX(value) - 4 * label.length < free) continue;
      free = toX(value) + 4 * label.length + 6;
      svg.append(text(label, [toX(value), height - edge.bottom + 19], { "text-anchor": "middle" }));
    }
    svg.append(shape("path", { class: "tick", d: `M${edge.left} ${height - edge.bottom}H${width - edge.right}` }));
    svg.append(text(`${WORDS[x]} (log)`, [(edge.left + width - edge.right) / 2, height - 6], { "text-anchor": "middle", class: "axis" }));
    const note = y === "loss" ? `${part} loss, lower is better ↑` : `${part} ${measure}`;
    svg.append(text(note, [edge.left + 6, edge.top - 3], { class: "axis" }));

    // The baselines; one that needs no operations is a line across.
    const labels = [];
    for (const baseline of known) {
      const height = toY(baseline[y]);
      if (baseline[x] === 0) {
        if (baseline[y] < low || baseline[y] > high) continue;
        svg.append(shape("path", { class: "baseline-line", d: `M${edge.left} ${height}H${width - edge.right}` }));
        labels.push({ name: baseline.name, x: width - edge.right, y: height - 5 });
        continue;
      }
      const at = toX(baseline[x]);
      const mark = shape("path", { class: "baseline", d: `M${at} ${height - 6}l6 6l-6 6l-6 -6z` });
      const lines = [baseline.name, ...figures(baseline)];
      mark.addEventListener("pointerenter", () => showHover(lines, at, height));
      mark.addEventListener("pointerleave", hideHover);
      svg.append(mark);
      labels.push({ name: baseline.name, x: at, y: height + 4 });
    }

    const front = bestOfEachSize(points, x, y);
    let line = "";
    for (const [index, point] of front.entries()) {
      line += index ? `H${toX(point[x])}V${toY(point[y])}` : `M${toX(point[x])} ${toY(point[y])}`;
    }
    if (front.length) line += `H${width - edge.right}`;
    svg.append(shape("path", { class: "front-line", d: line }));

    marks = points.map((point, index) => {
      const at = [toX(point[x]), toY(point[y])];
      const kinds = ["point"];
      if (!front.includes(point)) kinds.push("beaten");
      if (point.chosen) kinds.push("chosen");
      if (index === selected) kinds.push("selected");
      const group = shape("g", {
        class: kinds.join(" "), "data-index": index, tabindex: index === (selected ?? Math.max(0, chosenIndex)) ? 0 : -1,
        role: open ? "button" : "img", "aria-label": figures(point).join(", ") + (point.chosen ? ", chosen" : ""),
      });
      group.append(shape("circle", { class: "reach", cx: at[0], cy: at[1], r: 11 }));
      if (point.chosen) group.append(shape("circle", { class: "ring", cx: at[0], cy: at[1], r: 9.5 }));
      group.append(shape("circle", { class: "mark", cx: at[0], cy: at[1], r: kinds.includes("beaten") ? 3.5 : 5 }));
      const lines = point.chosen ? ["chosen network", ...figures(point)] : figures(point);
      group.addEventListener("focus", () => showHover(lines, ...at));
      group.addEventListener("blur", hideHover);
      group.addEventListener("pointerenter", () => showHover(lines, ...at));
      group.addEventListener("pointerleave", hideHover);
      if (open) group.addEventListener("click", () => select(index, true));
      group.addEventListener("keydown", (event) => {
        if (open && (event.key === "Enter" || event.key === " ")) {
          event.preventDefault();
          select(index, true);
        }
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const order = points.map((_, other) => other).sort((a, b) => points[a][x] - points[b][x]);
        const next = order[order.indexOf(index) + step];
        if (next === undefined) return;
        group.setAttribute("tabindex", -1);
        marks[next].group.setAttribute("tabindex", 0);
        marks[next].group.focus();
      });
      return { group, index, at };
    });
    // The chosen network lies on top.
    const order = [...marks].sort((a, b) => Number(!!points[a.index].chosen) - Number(!!points[b.index].chosen));
    for (const mark of order) svg.append(mark.group);
    const chosen = marks.find((mark) => points[mark.index].chosen);
    if (chosen) {
      labels.unshift({ name: "chosen", x: chosen.at[0], y: chosen.at[1] + 25, kind: "name strong" });
    }
    const room = { left: edge.left, right: width, top: edge.top + 8, bottom: height - edge.bottom - 3 };
    for (const label of placeLabels(labels, marks.map((mark) => mark.at), room)) {
      const attributes = { "text-anchor": label.anchor, class: label.kind || "name" };
      svg.append(text(label.name, [label.x, label.y], attributes));
    }
    box.replaceChildren(svg);
  };

  for (const button of box.parentElement.querySelectorAll("[data-x],[data-y]")) {
    button.addEventListener("click", () => {
      const axis = button.dataset.x ? "x" : "y";
      axes[axis] = button.dataset[axis];
      for (const other of button.parentElement.children) {
        other.setAttribute("aria-pressed", String(other === button));
      }
      draw();
    });
  }
  if (table) {
    table.tBodies[0].addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) select(Number(row.dataset.index), false);
    });
  }
  let drawn = 0;
  new ResizeObserver(() => {
    if (box.clientWidth !== drawn) {
      drawn = box.clientWidth;
      draw();
    }
  }).observe(box);
  draw();
}
