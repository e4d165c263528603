// Work is kept in the browser: a reload finds it again, and a browser that keeps nothing is no obstacle.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, openPage } from "./harness.mjs";
import {
  editor, eventually, grid, history, operation, outline, paste, ready, result, run, says, target, words,
} from "./parts.mjs";

const NEW_PROJECT = '{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-10"}, "name": {"S": "Roof repair"}}}';

async function writeProject(page) {
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT);
  await run(page);
  await says(outline(page), "OrgDirectory 25 items");
}

test("a reload keeps tables, items, history and the open request", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await operation(page).selectOption("CreateTable");
  await run(page);
  await says(page.getByRole("banner"), "Saved in this browser");
  const text = await editor(page).inputValue();
  await page.reload();
  await ready(page);
  await says(outline(page), "OrgDirectory 25 items", "Orders 0 items");
  await says(history(page), "3 requests", "Projects on hold", "3.5 RCU");
  assert.equal(await operation(page).inputValue(), "CreateTable");
  assert.equal(await editor(page).inputValue(), text);
  await grid(page).focus();
  await page.keyboard.press("Control+End");
  await says(grid(page), "Roof repair");
}));

test("a write that went well is not called refused after a reload", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(page.getByRole("banner"), "Saved in this browser");
  await page.reload();
  await ready(page);
  await says(result(page), "Result");
  assert.ok(!(await words(result(page))).includes("refused"), await words(result(page)));
}));

test("a request typed and not run is there after a reload", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT);
  await page.reload();
  await ready(page);
  await eventually(page, async () => assert.equal(await editor(page).inputValue(), NEW_PROJECT));
  assert.equal(await operation(page).inputValue(), "PutItem");
}));

test("an undo made before a reload is kept by it", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await says(outline(page), "OrgDirectory 24 items");
  await says(page.getByRole("banner"), "Saved in this browser");
  await page.reload();
  await ready(page);
  await says(outline(page), "OrgDirectory 24 items");
}));

test("work is there in a second tab and after the first was closed", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(page.getByRole("banner"), "Saved in this browser");
  const second = await openPage({ context: page.context() });
  await ready(second);
  await says(outline(second), "OrgDirectory 25 items");
  await says(history(second), "2 requests");
  assert.deepEqual(second.problems, []);
}));

test("a fresh start by the address leaves the saved work out", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(page.getByRole("banner"), "Saved in this browser");
  await page.goto(new URL("?start=fresh", page.url()).href);
  await ready(page);
  await says(outline(page), "OrgDirectory 24 items");
  await says(history(page), "1 request");
}));

/** Each way in which a browser keeps nothing for a page. */
const REFUSALS = {
  "IndexedDB throws": () => Object.defineProperty(globalThis, "indexedDB", { get() { throw new DOMException("denied", "SecurityError"); } }),
  "there is no IndexedDB": () => Object.defineProperty(globalThis, "indexedDB", { value: undefined }),
  "opening a database is refused": () => { IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); }; },
  "local storage throws": () => Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } }),
};

for (const [how, refuse] of Object.entries(REFUSALS)) {
  test(`the page works where ${how}`, onPage(async (page) => {
    await page.addInitScript(refuse);
    await page.reload();
    await ready(page);
    if (how !== "local storage throws") {
      await says(page.getByRole("banner"), "Not saved: this browser keeps nothing for this page");
    }
    await writeProject(page);
    await says(grid(page), "Roof repair");
    await page.getByRole("button", { name: /^Theme/ }).click();
    await page.getByRole("button", { name: "Theme: light. Switch to dark" }).waitFor();
  }));
}

test("storage that runs out later is said, and the work goes on", onPage(async (page) => {
  await ready(page);
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await writeProject(page);
  await says(page.getByRole("banner"), "Not saved: this browser keeps nothing for this page");
  await operation(page).selectOption("Scan");
  await run(page);
  await says(result(page), "PROJECT#p-10");
}));

test("a saved session that cannot be read is offered as a file, and the example opens", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(page.getByRole("banner"), "Saved in this browser");
  await page.evaluate(() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("hashrange");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const writing = opening.result.transaction("session", "readwrite");
      writing.objectStore("session").put(new Uint8Array([1, 2, 3, 4]), 0);
      writing.oncomplete = () => { opening.result.close(); resolve(); };
      writing.onerror = () => reject(writing.error);
    };
  }));
  await page.reload();
  await ready(page);
  const notice = page.getByRole("status").filter({ hasText: "could not be opened" });
  await says(notice, "The last session could not be opened.");
  const saving = page.waitForEvent("download");
  await notice.getByRole("link", { name: "Download it" }).click();
  assert.equal((await saving).suggestedFilename(), "hashrange-session.bin");
  await says(outline(page), "OrgDirectory 24 items");
}));

test("the theme and the drawer are found again after a reload", onPage(async (page) => {
  await ready(page);
  await page.getByRole("button", { name: "Theme: as the system. Switch to light" }).click();
  await page.getByRole("button", { name: "Theme: light. Switch to dark" }).click();
  await history(page).getByRole("button", { name: "Show or hide the history" }).click();
  await page.reload();
  await ready(page);
  await page.getByRole("button", { name: "Theme: dark. Switch to the system's" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await eventually(page, async () => assert.equal(
    await history(page).getByRole("button", { name: "Show or hide the history" }).getAttribute("aria-expanded"), "false"));
}));

test("a saved session of another shape of tables comes back to its own first table", onPage(async (page) => {
  await ready(page);
  await page.getByRole("combobox", { name: "Examples" }).selectOption({ label: "File versions" });
  await eventually(page, async () => assert.ok(!(await words(outline(page))).includes("OrgDirectory")));
  await says(page.getByRole("banner"), "Saved in this browser");
  const before = await target(page).getByRole("option").allTextContents();
  await page.reload();
  await ready(page);
  assert.deepEqual(await target(page).getByRole("option").allTextContents(), before);
  assert.ok(!(await words(outline(page))).includes("OrgDirectory"));
}));
