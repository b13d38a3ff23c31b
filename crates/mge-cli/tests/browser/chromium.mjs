// Chromium for the tests of pages: opens files from disk and collects whatever goes wrong in them.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

export async function start(tools, executablePath) {
  const { chromium } = createRequire(path.join(tools, "package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const problems = [];
  async function open(file, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`script: ${error}`));
    page.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
    page.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) problems.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(path.resolve(file)).href);
    return page;
  }
  return { open, problems, close: () => browser.close() };
}

// Pixels that a page is wider than its window.
export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
