// Opens the page of a JavaScript export, types rows into it and compares what it says.
// Usage: node classify.mjs TOOLS CHROMIUM PAGE ROWS SCREENSHOTS
// ROWS is a JSON list of { cells: { name: number }, label, probabilities: [number] }.
import { readFileSync } from "node:fs";
import path from "node:path";
import assert from "node:assert/strict";
import { overflow, start } from "./chromium.mjs";

const [tools, executablePath, file, rows, shots] = process.argv.slice(2);
const { open, problems, close } = await start(tools, executablePath);
const page = await open(file, { viewport: { width: 1280, height: 900 } });
const fields = await page.locator("#form label").evaluateAll((labels) =>
  labels.map((label) => label.firstChild.textContent));
assert.ok(fields.length > 0, "there is nothing to type into");
const seen = new Set();
for (const { cells, label, probabilities } of JSON.parse(readFileSync(rows, "utf8"))) {
  for (const [index, name] of fields.entries()) {
    assert.ok(name in cells, `a field of the name ${JSON.stringify(name)}`);
    await page.locator("#form input[type=number]").nth(index).fill(String(cells[name]));
  }
  assert.equal(await page.locator("#answer").evaluate((p) => p.textContent), label);
  const shown = await page.locator("#bars > span:nth-child(3n)").allTextContents();
  assert.deepEqual(shown, probabilities.map((p) => p.toFixed(3)));
  seen.add(label);
}
assert.ok(seen.size > 1, "rows of one class prove little");
// An empty field is a missing value, which has an answer too.
await page.locator("#form input[type=number]").first().fill("");
assert.notEqual(await page.locator("#answer").innerText(), "");
// A slider covers the training range, changes the answer, and tells what it contributes.
await page.locator("#reset").click();
const slider = page.locator("#form input[type=range]").first();
const [low, high] = await slider.evaluate((range) => [Number(range.min), Number(range.max)]);
assert.ok(low < high, `${low} to ${high}`);
const before = await page.locator("#bars").innerText();
await slider.focus();
for (let press = 0; press < 60; press++) await page.keyboard.press("ArrowRight");
assert.notEqual(await page.locator("#bars").innerText(), before, "a slider changes the answer");
assert.match((await page.locator(".part").allInnerTexts()).join(" "), /[+\u2212]\d/);
assert.ok((await overflow(page)) <= 0, `${await overflow(page)} pixels too wide`);
await page.screenshot({ path: path.join(shots, "classify.png"), fullPage: true });

// Names that look like markup are text.
assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
assert.equal(await page.locator("script").count(), 1);
assert.equal(await page.locator("img").count(), 0);

const phone = await open(file, { viewport: { width: 400, height: 844 }, colorScheme: "dark", isMobile: true });
assert.ok((await overflow(phone)) <= 0, `${await overflow(phone)} pixels too wide for a phone`);
await phone.screenshot({ path: path.join(shots, "classify-phone.png"), fullPage: true });

await close();
assert.deepEqual(problems, []);
