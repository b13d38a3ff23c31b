// The comparison: the fronts of several runs in one chart, one chart for each table of data.
// Pointing at a network shows its figures and brings the front of its run out.
function startFronts() {
  const data = dataOf("fronts-data");
  if (!data) return;
  for (const box of document.querySelectorAll(".fronts")) {
    const { runs } = data[Number(box.dataset.index)];
    const chart = box.querySelector(".chart"), hover = box.querySelector(".hover");
    const axes = { x: "operations", y: "accuracy" };
    const draw = () => drawFronts(chart, hover, runs, axes);
    for (const button of box.querySelectorAll("[data-x]")) {
      button.addEventListener("click", () => {
        axes.x = button.dataset.x;
        for (const other of button.parentElement.children) {
          other.setAttribute("aria-pressed", String(other === button));
        }
        draw();
      });
    }
    let drawn = 0;
    new ResizeObserver(() => {
      if (chart.clientWidth !== drawn) {
        drawn = chart.clientWidth;
        draw();
      }
    }).observe(chart);
    draw();
  }
}

function drawFronts(box, hover, runs, { x, y }) {
  hover.hidden = true;
  const width = Math.max(260, box.clientWidth);
  const isNarrow = width < 560;
  const height = Math.round(Math.min(420, Math.max(260, width * 0.45)));
  const edge = { left: isNarrow ? 44 : 56, right: 18, top: 20, bottom: 44 };
  const all = runs.flatMap((run) => run.points);
  const sizes = all.map((point) => point[x]).filter((size) => size > 0);
  const pad = Math.max(1.12, (Math.max(...sizes) / Math.min(...sizes)) ** 0.04);
  const [left, right] = [Math.min(...sizes) / pad, Math.max(...sizes) * pad];
  const qualities = all.map((point) => point[y]);
  const margin = 0.06 * (Math.max(...qualities) - Math.min(...qualities)) || 0.05;
  const measure = runs[0].measure;
  const lowest = Math.min(...qualities) - margin;
  const [low, high] = [measure === "accuracy" ? Math.max(0, lowest) : lowest, Math.min(1, Math.max(...qualities) + margin)];
  const toX = logScale(left, right, edge.left, width - edge.right);
  const toY = linearScale(low, high, height - edge.bottom, edge.top);
  const svg = shape("svg", {
    class: "front-plot", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${measure} against ${WORDS[x]} of ${runs.length} runs`,
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
  const parts = [...new Set(runs.map((run) => run.part))].join(" or ");
  svg.append(text(`${parts} ${measure}`, [edge.left + 6, edge.top - 6], { class: "axis" }));
  for (const run of runs) {
    const group = shape("g", { class: "run" });
    let line = "";
    const front = bestOfEachSize(run.points.filter((point) => point[x] > 0), x, y);
    for (const [index, point] of front.entries()) {
      line += index ? `H${toX(point[x])}V${toY(point[y])}` : `M${toX(point[x])} ${toY(point[y])}`;
    }
    if (front.length > 1) line += `H${width - edge.right}`;
    const paint = run.dashed ? { stroke: run.colour, "stroke-dasharray": "6 4" } : { stroke: run.colour };
    if (line) group.append(shape("path", { class: "run-line", d: line, ...paint }));
    const chosen = run.points.filter((point) => point.chosen && point[x] > 0 && !front.includes(point));
    for (const point of [...front, ...chosen]) {
      const at = [toX(point[x]), toY(point[y])];
      const mark = shape("circle", {
        class: point.chosen ? "run-point chosen" : "run-point", cx: at[0], cy: at[1],
        r: point.chosen ? 6.5 : 3.5, fill: run.colour,
      });
      const lines = [run.name, `${point.operations} operations, ${point.bytes} bytes`,
        `${run.part} ${measure} ${point.accuracy.toFixed(4)}`, ...(point.chosen ? ["chosen"] : [])];
      mark.addEventListener("pointerenter", () => {
        svg.classList.add("dim");
        group.classList.add("on");
        placeHover(hover, box, lines, at);
      });
      mark.addEventListener("pointerleave", () => {
        svg.classList.remove("dim");
        group.classList.remove("on");
        hover.hidden = true;
      });
      group.append(mark);
    }
    svg.append(group);
  }
  box.replaceChildren(svg);
}
