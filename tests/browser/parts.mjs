// The page's parts by the names a person reads, and the acts that tests share.
//
// Invariant: a wait ends when what is waited for is there; nothing here waits for time to pass.
//
// Not here: starting a browser or a server, which is `harness.mjs`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** How long [`eventually`] tries: long, because a busy machine is no bug of the page. */
const WAIT_MS_MAX = 30_000;

/** The single-table picture. */
export const grid = (page) => page.getByRole("grid");
/** Rows of the picture that hold items. */
export const items = (page) => grid(page).locator(".is-item");
/** Tabs of the table and its indexes. */
export const tab = (page, name) =>
  page.getByRole("tablist", { name: "Table and indexes" }).getByRole("tab", { name });
/** The left column. */
export const outline = (page) => page.getByRole("navigation", { name: "Design" });
/** The drawer of requests. */
export const history = (page) => page.getByRole("region", { name: "History" });
/** The console's parts. */
export const request = (page) => page.getByRole("region", { name: "Request" });
export const result = (page) => page.getByRole("region", { name: "Result", exact: true });
export const capacity = (page) => page.getByRole("region", { name: "Capacity" });
/** Where a request is written. */
export const editor = (page) => page.getByRole("textbox", { name: "Request, DynamoDB JSON" });
export const operation = (page) => page.getByRole("combobox", { name: "Operation" });
export const target = (page) => page.getByRole("combobox", { name: "Table or index" });
/** What is wrong with the request, under the editor. */
export const problem = (page) => page.locator("#request-problem");
/** The underlined part of the request. */
export const marked = (page) => request(page).locator(".ink-bad");
export const runButton = (page) => request(page).getByRole("button", { name: "Run" });
export const dialog = (page) => page.getByRole("dialog");

/** Waits until the first request has run and is on the screen. */
export async function ready(page) {
  await grid(page).waitFor();
  await items(page).first().waitFor();
}

/** Text as a person reads it: blanks of any kind count as one space. */
export async function words(locator) {
  return (await locator.innerText()).replace(/\s+/g, " ").trim();
}

/** Asserts that the words of `locator` contain each of `parts`, as soon as they do. */
export async function says(locator, ...parts) {
  await locator.first().waitFor();
  await eventually(locator.page(), async () => {
    const text = await words(locator);
    for (const part of parts) assert.ok(text.includes(part), `"${part}" is not in: ${text}`);
  });
}

/** Tries `check` once a frame until it throws no more; its last error ends the test. */
export async function eventually(page, check) {
  const end = Date.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)));
    }
  }
}

/** Puts `text` in place of the request, key by key. */
export async function type(page, text) {
  await editor(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  assert.equal(await editor(page).inputValue(), text);
}

/** Puts `text` in place of the request at once, as pasting does. */
export async function paste(page, text) {
  await editor(page).click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** Number of requests that the history counts. */
export async function countRequests(page) {
  const [number] = /^\d+/.exec(await words(history(page).locator("header .quiet"))) ?? ["0"];
  return Number(number);
}

/** Runs the request by its button and waits until the history has it. */
export async function run(page) {
  await running(page, () => runButton(page).click());
}

/** Does `act`, which runs a request, and waits until the history has it. */
export async function running(page, act) {
  const before = await countRequests(page);
  await act();
  await eventually(page, async () => assert.equal(await countRequests(page), before + 1));
}

/** Opens the import dialog and chooses a file, given as playwright takes files. */
export async function chooseFile(page, file) {
  await page.getByRole("button", { name: "Import a file" }).click();
  await chooseInDialog(page, file);
}

/** Chooses a file in the open import dialog by its button. */
export async function chooseInDialog(page, file) {
  const choosing = page.waitForEvent("filechooser");
  await dialog(page).getByRole("button", { name: "Choose a file" }).click();
  await (await choosing).setFiles(file);
}

/** Drops a file on the page. */
export async function drop(page, name, text) {
  const transfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name, { type: "application/json" }));
      return transfer;
    },
    [name, text],
  );
  const place = grid(page);
  await place.dispatchEvent("dragover", { dataTransfer: transfer });
  await page.getByText("Drop the file to see what is in it").waitFor();
  await place.dispatchEvent("drop", { dataTransfer: transfer });
}

/** A file that exists only in the test. */
export const file = (name, content) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
});

/** Text of a model of ours, one for each quirk of NoSQL Workbench. */
export function model(name) {
  const path = `../../crates/hashrange-design/tests/models/${name}`;
  return readFile(fileURLToPath(new URL(path, import.meta.url)), "utf8");
}

/** A NoSQL Workbench model with one table keyed by `id`. */
export const oneTable = (table, data, more = {}) => ({
  ModelName: "Small",
  ModelMetadata: { Author: "Hashrange", AWSService: "Amazon DynamoDB", Version: "3.0" },
  DataModel: [
    {
      TableName: table,
      KeyAttributes: { PartitionKey: { AttributeName: "id", AttributeType: "S" } },
      TableData: data,
    },
  ],
  ...more,
});
