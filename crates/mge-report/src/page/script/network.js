// The drawing of the chosen network: hovering shows the connections of a node, a click keeps them.
function startNetwork() {
  const data = dataOf("network-data");
  const net = document.querySelector("#panel-drawing svg.net");
  const info = byId("network-info");
  if (!data || !net || !info) return;
  const { nodes, links } = data;
  const isRegression = Object.values(nodes).some((node) => node.kind === "target");
  const into = new Map(), from = new Map();
  const push = (map, key, value) => (map.has(key) ? map.get(key).push(value) : map.set(key, [value]));
  for (const link of links) {
    push(from, link[0], link);
    push(into, link[1], link);
  }
  const reachable = (start, map, end, found) => {
    const open = [start], seen = new Set(open);
    while (open.length) {
      for (const link of map.get(open.pop()) || []) {
        found.add(link[0] + " " + link[1]);
        if (!seen.has(link[end])) {
          seen.add(link[end]);
          open.push(link[end]);
        }
      }
    }
    return seen;
  };
  const paths = [...net.querySelectorAll(".edges path")];
  const groups = [...net.querySelectorAll(".node")];
  const list = (title, some, end) => {
    const part = element("div", title);
    const items = element("ul");
    const heavy = [...some].sort((a, b) => Math.abs(b[2]) - Math.abs(a[2]));
    for (const link of heavy.slice(0, 60)) {
      const item = element("li", nodes[link[end]].name + " ");
      item.append(element("span", number(link[2]), link[2] < 0 ? "minus" : "plus"));
      items.append(item);
    }
    if (heavy.length > 60) items.append(element("li", `and ${heavy.length - 60} more`));
    part.append(items);
    return part;
  };
  const idle = [...info.childNodes];
  let held = null;
  const show = (id) => {
    net.classList.toggle("dim", id !== null);
    if (id === null) {
      info.replaceChildren(...idle);
      return;
    }
    const found = new Set();
    const seen = reachable(id, from, 1, found);
    for (const node of reachable(id, into, 0, found)) seen.add(node);
    for (const path of paths) path.classList.toggle("on", found.has(path.dataset.a + " " + path.dataset.b));
    for (const group of groups) group.classList.toggle("on", seen.has(group.dataset.id));
    const node = nodes[id];
    const kind = node.kind === "neuron" ? node.detail : node.kind;
    const bias = node.bias === null ? "" : `, bias ${number(node.bias)}`;
    const parts = [element("b", `${node.name} (${kind}${bias})`)];
    if (node.kind !== "class" && node.kind !== "target") {
      parts.push(element("div", (isRegression ? "Feeds the targets: " : "Feeds the classes: ") + (node.classes.join(", ") || "none")));
    }
    if (into.has(id)) parts.push(list("Inputs:", into.get(id), 0));
    if (from.has(id)) parts.push(list("Outputs:", from.get(id), 1));
    info.replaceChildren(...parts);
  };
  for (const group of groups) {
    const id = group.dataset.id;
    // The panel replaces the tooltip, which would cover it.
    group.querySelector("title")?.remove();
    if (groups.length <= 120) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", nodes[id].name);
    }
    group.addEventListener("pointerenter", (event) => {
      if (event.pointerType !== "touch" && !held) show(id);
    });
    group.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch" && !held) show(null);
    });
    const toggle = () => {
      held = held === id ? null : id;
      show(held);
    };
    group.addEventListener("click", (event) => {
      event.stopPropagation();
      toggle();
    });
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        toggle();
      }
    });
  }
  net.addEventListener("click", () => {
    held = null;
    show(null);
  });
}
