// Opens a report and a comparison in Chromium, points and clicks, and fails with a reason.
// Usage: node open_pages.mjs TOOLS CHROMIUM REPORT COMPARISON SCREENSHOTS
import path from "node:path";
import assert from "node:assert/strict";
import { overflow, start } from "./chromium.mjs";

const [tools, executablePath, report, comparison, shots] = process.argv.slice(2);
const { open, problems, close } = await start(tools, executablePath);
const shot = (page, name) => page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 400, height: 844 }, colorScheme: "dark", hasTouch: true, isMobile: true };

// The report, with a mouse.
{
  const page = await open(report, DESKTOP);
  assert.ok((await overflow(page)) <= 0, `${await overflow(page)} pixels too wide`);
  const info = page.locator("#network-info");
  const net = page.locator("#panel-drawing svg.net");
  const dim = () => net.evaluate((svg) => svg.classList.contains("dim"));
  await shot(page, "report-light");
  const feature = page.locator("#panel-drawing .node[data-id^=x] circle").first();
  await feature.hover();
  assert.match(await info.innerText(), /\(feature\)[^]*Feeds the classes: \S[^]*Outputs:[^]*[0-9]/);
  assert.ok(await dim(), "hovering dims the rest");
  const lit = await page.locator("#panel-drawing .edges path.on").count();
  const all = await page.locator("#panel-drawing .edges path").count();
  assert.ok(lit > 0 && lit < all, `${lit} of ${all} connections are lit`);
  await page.locator("h1").hover();
  assert.ok(!(await dim()), "leaving ends it");
  assert.match(await info.innerText(), /Point at/);
  const output = page.locator("#panel-drawing .node[data-id^=o] rect").first();
  await output.click();
  await page.locator("h1").hover();
  assert.ok(await dim(), "a click holds it");
  assert.match(await info.innerText(), /\(class[^]*Inputs:/);
  await shot(page, "report-held");
  await output.click();
  assert.ok(!(await dim()), "a second click lets go");
  await page.locator("#panel-drawing .node[data-id^=h]").first().focus();
  await page.keyboard.press("Enter");
  assert.ok(await dim(), "a key does what a click does");
  await page.keyboard.press("Enter");

  assert.ok(await page.locator("#panel-test").isVisible());
  assert.ok(!(await page.locator("#panel-train").isVisible()));
  await page.locator("#tab-train").click();
  assert.ok(!(await page.locator("#panel-test").isVisible()));
  assert.ok(await page.locator("#panel-train table.matrix").isVisible());
  await page.keyboard.press("ArrowLeft");
  assert.ok(await page.locator("#panel-test").isVisible(), "arrow keys change tabs");
  assert.ok((await page.locator("#curves svg.plot").count()) >= 5, "all curves are there");
  assert.match(await page.locator("#command").innerText(), /^mge fit .*--seed 3/m);

  // An address leads to one place.
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((element) => element.id));
  assert.equal(new Set(ids).size, ids.length, "two elements have one id");
  for (const target of await page.locator("nav a").evaluateAll((links) => links.map((link) => link.hash))) {
    assert.equal(await page.locator(target).count(), 1, target);
  }

  // Names that look like markup are text.
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await page.locator("script:not([type])").count(), 1);
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.locator("#formula").innerText(), /<script>/);

  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("#panel-test").isVisible(), "paper shows all panels");
  assert.ok(await page.locator("#panel-train").isVisible(), "paper shows all panels");
  await page.pdf({ path: path.join(shots, "report.pdf"), format: "A4" });
}

// The report on a phone, in the dark, with a finger.
{
  const page = await open(report, PHONE);
  assert.ok((await overflow(page)) <= 0, `${await overflow(page)} pixels too wide for a phone`);
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, "rgb(20, 23, 28)");
  await page.locator("#panel-drawing .node[data-id^=o] rect").first().tap();
  assert.match(await page.locator("#network-info").innerText(), /\(class[^]*Inputs:/);
  // Every box that is wider than the window says so.
  const silent = await page.locator(".scroll").evaluateAll((boxes) => boxes.filter((box) =>
    box.scrollWidth > box.clientWidth + 1 && !box.previousElementSibling?.classList.contains("scroll-hint")).length);
  assert.equal(silent, 0, "boxes without a hint");
  await shot(page, "report-phone");
}

// The comparison.
for (const [name, options] of [["compare-light", DESKTOP], ["compare-phone", PHONE]]) {
  const page = await open(comparison, options);
  assert.equal(await page.locator("#runs tbody tr").count(), 2);
  assert.equal(await page.locator("#runs a").count(), 2);
  assert.ok((await overflow(page)) <= 0, `${name} is too wide`);
  assert.equal(await page.locator(".fronts").count(), 1, "one chart for one table of data");
  assert.equal(await page.locator(".fronts .run").count(), 2, "a front for each run");
  await shot(page, name);
  await page.locator("#runs a").first().click();
  await page.waitForSelector("#network-info");
}

await close();
assert.deepEqual(problems, []);
