// The front of a report: points at networks, clicks, uses keys, changes axes, moves sliders.
// Usage: node front.mjs TOOLS CHROMIUM REPORT ROWS SCREENSHOTS
// ROWS is a JSON list of { cells: { name: number }, probabilities: [number] } of `mge predict`.
import { readFileSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import { overflow, start } from "./chromium.mjs";

const [tools, executablePath, report, rows, shots] = process.argv.slice(2);
const { open, problems, close } = await start(tools, executablePath);

// The points of the drawn line, as heights from left to right.
const heights = (page) => page.locator(".front-line").evaluate((line) => {
  const found = [];
  const text = line.getAttribute("d");
  for (const match of text.matchAll(/M[\d.]+ ([\d.]+)|V([\d.]+)/g)) found.push(Number(match[1] ?? match[2]));
  return found;
});

for (const [name, options] of [
  ["front-light", { viewport: { width: 1280, height: 900 } }],
  ["front-phone", { viewport: { width: 400, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true }],
]) {
  const page = await open(report, options);
  assert.ok((await overflow(page)) <= 0, `${name}: ${await overflow(page)} pixels too wide`);
  const isPhone = options.isMobile;
  const points = page.locator("#front-chart .point");
  const count = await points.count();
  assert.ok(count >= 3, `${count} networks are shown`);
  assert.equal(await page.locator("#front-chart .point.chosen").count(), 1, "one network is chosen");
  assert.ok((await page.locator("#front-chart .baseline").count()) >= 1, "baselines are points");
  assert.equal(await page.locator("#front-table tbody tr").count(), count, "a row for each network");
  const box = await page.locator("#front-chart svg").boundingBox();
  assert.ok(box.width >= (isPhone ? 300 : 1000) && box.height >= 260, `${box.width} x ${box.height} is small`);

  // The line never goes down; a smaller y is higher.
  for (const axis of ["[data-y=accuracy]", "[data-x=bytes]", "[data-y=loss]", "[data-x=operations]"]) {
    await page.locator(axis).click();
    const found = await heights(page);
    for (const [index, height] of found.entries()) {
      if (index) assert.ok(height <= found[index - 1], `${axis}: the front goes down`);
    }
  }
  await page.locator("[data-y=accuracy]").click();

  // Hovering shows the figures of a network, inside of the window.
  const last = points.nth(count - 1);
  const hover = page.locator("#front-hover");
  if (isPhone) await last.tap();
  else await last.hover();
  assert.match(await hover.innerText(), /operations[^]*validation accuracy 0\.\d+[^]*neurons/);
  const place = await hover.boundingBox();
  assert.ok(place.x >= 0 && place.x + place.width <= options.viewport.width, "the figures are cut off");
  await page.screenshot({ path: path.join(shots, `${name}.png`) });

  // A click opens the network: drawing, formula, size, command.
  if (!isPhone) await last.click();
  const detail = page.locator("#front-detail");
  const text = await detail.evaluate((box) => box.textContent);
  assert.match(text, /operations[^]*bytes[^]*mge pick .*--out/);
  assert.equal(await detail.locator("svg.net").count(), 1, "a drawing");
  assert.match(text, /score/);
  assert.equal(await page.locator("#front-table tr.selected").count(), 1);
  assert.ok((await overflow(page)) <= 0, `${name}: too wide after a click`);

  // Another network by the table, and by keys.
  const before = await detail.locator("h3").innerText();
  await page.locator("#front-table tbody tr").first().locator("button").click();
  assert.notEqual(await detail.locator("h3").innerText(), before);
  await page.locator("#front-chart .point[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const focused = await page.evaluate(() => document.activeElement.dataset.index);
  const selected = await page.locator("#front-table tr.selected").getAttribute("data-index");
  assert.equal(selected, focused, "a key opens the network that has the focus");
  await page.screenshot({ path: path.join(shots, `${name}-page.png`), fullPage: true });

  // The sliders give the probabilities of `mge predict`.
  for (const { cells, probabilities } of JSON.parse(readFileSync(rows, "utf8"))) {
    for (const slider of await page.locator("#what-if-controls .slider").all()) {
      const column = await slider.locator(".slider-name").evaluate((span) => span.textContent);
      await slider.locator("input[type=number]").fill(String(cells[column]));
    }
    const shown = await page.locator("#what-if-answer .value").allTextContents();
    assert.deepEqual(shown, probabilities.map((p) => p.toFixed(3)));
  }
  const answer = () => page.locator("#what-if-answer").innerText();
  const now = await answer();
  await page.locator("#what-if-reset").click();
  const first = page.locator("#what-if-controls input[type=range]").first();
  await first.focus();
  for (let press = 0; press < 60; press++) await page.keyboard.press("ArrowRight");
  assert.notEqual(await answer(), now, "a slider changes the answer");

  assert.match(await page.locator("#test").innerText(), /accuracy[^]*0\.\d+ \(0\.\d+ to [01]\.\d+\)/);
  assert.ok((await page.locator("#importance tbody tr").count()) >= 1);
  assert.match(await page.locator("#confusion").innerText(), /answers are (wrong|right)/);
}

await close();
assert.deepEqual(problems, []);
