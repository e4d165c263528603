// The JavaScript package in a page of its own, for what is measured in Chromium.
//
// Not here: what is measured, which is in `engine-rates.mjs` and `simulated-rate.mjs`.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { close, openPage } from "./harness.mjs";

const PACKAGE = fileURLToPath(new URL("../../web/npm", import.meta.url));
const TYPES = { ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" };

const files = createServer(async (request, response) => {
  const file = normalize(join(PACKAGE, new URL(request.url, "http://localhost").pathname));
  const type = TYPES[extname(file)];
  try {
    if (type === undefined || !file.startsWith(PACKAGE + sep)) throw new Error("not a file of the package");
    const content = await readFile(file);
    response.writeHead(200, { "Content-Type": type }).end(content);
  } catch {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Engine</title>");
  }
});

/**
 * Runs `measure` in a page that serves the package from `/`, and prints what it returns as one JSON object. Why it
 * failed, if it did, goes to the error stream and the exit code.
 */
export async function inPackage(measure, argument) {
  try {
    await new Promise((resolve) => { files.listen(0, "127.0.0.1", resolve); });
    process.env.BASE_URL = `http://127.0.0.1:${files.address().port}/`;
    const page = await openPage();
    console.log(JSON.stringify(await page.evaluate(measure, argument)));
  } catch (error) {
    console.error(error.message.split("\n")[0]);
    process.exitCode = 1;
  } finally {
    await close();
    files.close();
  }
}
