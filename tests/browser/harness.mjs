// What the page tests stand on: a browser, the built page, and ways to look at it.
//
// Invariant: a test that ends without a word saw no error on the console and no uncaught exception.
//
// Not here: what the page should do. That is in the `*.test.mjs` files beside this one.

import { after } from "node:test";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import { delimiter, extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
// The packages belong to web/, so that is where their names are looked up.
const require = createRequire(join(root, "web/package.json"));
const { chromium } = require("playwright-core");

/** Folder of screenshots: of failures, and of `shots.mjs`. */
export const shotsFolder = join(root, "tests/browser/shots");

/** Sizes the page is looked at in. */
export const viewports = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

const BROWSER_FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
/** How long one wait may take: long, because a busy machine is no bug of the page. */
const WAIT_MS_MAX = 30_000;

let browser;
let server;
let closesAfterTests = false;

/**
 * Opens the page in a fresh context, which starts with empty storage.
 *
 * Returns the playwright page, with `page.problems`: what the console and uncaught exceptions said.
 * A test that expects an error removes it from there.
 *
 * @param {{viewport?: {width: number, height: number}, colorScheme?: "light" | "dark",
 *   path?: string, context?: object}} options `path` is relative to the page's address; `context`
 *   is an earlier page's `page.context()`, to see what a reload or a second tab keeps.
 */
export async function openPage({
  viewport = viewports.desktop,
  colorScheme = "light",
  path = "",
  context,
} = {}) {
  browser ??= await launch();
  context ??= await browser.newContext({
    viewport,
    colorScheme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS_MAX);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(`console: ${message.text()}`);
  });
  await page.goto(new URL(path, await baseUrl()).href);
  return page;
}

/**
 * Runs `look` on a fresh page, then fails on any problem the page reported. When anything fails,
 * a screenshot named after the test is left in `shots/`. Use as a test's body:
 *
 * `test("the title is shown", onPage(async (page) => { … }, { viewport: viewports.phone }))`
 */
export function onPage(look, options = {}) {
  if (!closesAfterTests) after(close);
  closesAfterTests = true;
  return async (t) => {
    const page = await openPage(options);
    try {
      await look(page, t);
      if (page.problems.length > 0) {
        throw new Error(`the page reported problems:\n${page.problems.join("\n")}`);
      }
    } catch (error) {
      await shoot(page, `failed-${t.name}`).catch(() => {});
      throw error;
    } finally {
      await page.context().close();
    }
  };
}

/** Saves what the page shows as `shots/<name>.png`; returns the file's path. */
export async function shoot(page, name) {
  await mkdir(shotsFolder, { recursive: true });
  const file = join(shotsFolder, `${name.replace(/[^a-z0-9]+/gi, "-").slice(0, 100)}.png`);
  await page.screenshot({ path: file });
  return file;
}

/**
 * Findings of axe that shut people out: impact serious or critical, one line each.
 * An empty list is what a test asks for.
 */
export async function axe(page) {
  await page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, impact, help, nodes }) => {
      const places = nodes.map(({ target }) => target.join(" ")).join(", ");
      return `${impact} ${id}: ${help} (${places})`;
    });
}

/** Address of the page: `BASE_URL`, else a server of our own on the built files. */
export async function baseUrl() {
  if (process.env.BASE_URL) return process.env.BASE_URL;
  server ??= await serve(join(root, "web/dist"));
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Ends what was started; tests get this from `onPage`, anything else calls it. */
export async function close() {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  browser = server = undefined;
}

async function launch() {
  const executablePath = findChromium();
  return chromium.launch({ executablePath, args: BROWSER_FLAGS, timeout: 2 * WAIT_MS_MAX });
}

function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [
    process.env.CHROMIUM,
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    "/usr/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error("no Chromium was found: run `cargo xtask setup` or set CHROMIUM");
  return found;
}

const CONTENT_TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

function serve(folder) {
  if (!existsSync(join(folder, "index.html"))) {
    throw new Error(`${folder} holds no page: run \`cargo xtask web\``);
  }
  const answers = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, "http://localhost");
      let file = normalize(join(folder, decodeURIComponent(pathname)));
      if (file !== folder && !file.startsWith(folder + sep)) throw new Error("outside");
      if (pathname === "/" || pathname === "/embed") file = join(folder, "index.html");
      if (!(await stat(file)).isFile()) throw new Error("no file");
      const type = CONTENT_TYPES[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "Content-Type": type });
      response.end(await readFile(file));
    } catch {
      response.writeHead(404).end("Not found");
    }
  });
  return new Promise((resolve) => {
    answers.listen(0, "127.0.0.1", () => resolve(answers));
  });
}
