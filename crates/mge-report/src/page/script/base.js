// Helpers of all other modules. Names come from data, so they are set as text only.
const SVG = "http://www.w3.org/2000/svg";

function byId(id) {
  return document.getElementById(id);
}

function dataOf(id) {
  const source = byId(id);
  return source ? JSON.parse(source.textContent) : null;
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// A number with at most three decimals and a minus sign.
function number(value) {
  return (Math.round(value * 1000) / 1000).toString().replace("-", "−");
}

// A number with a few significant digits.
function digits(value, count = 4) {
  return Number(value.toPrecision(count)).toString().replace("-", "−");
}
