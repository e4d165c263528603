// Work is kept in the browser: a reload finds it again, and a browser that keeps nothing is no obstacle.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axe, onPage, openPage } from "./harness.mjs";
import {
  NEW_PROJECT, SAVED, banner, notice, kept, openShelf, closeDialog, rename, stored, writeProject,
} from "./kept.mjs";
import {
  chooseFile, dialog, editor, eventually, grid, history, operation, outline, paste, ready, result, run, says,
  target, words,
} from "./parts.mjs";

test("a reload keeps tables, items, history and the open request", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await operation(page).selectOption("CreateTable");
  await run(page);
  await says(banner(page), "Saved in this browser");
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
  await says(banner(page), "Saved in this browser");
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
  await says(banner(page), "Saved in this browser");
  await page.reload();
  await ready(page);
  await says(outline(page), "OrgDirectory 24 items");
}));

test("work is there in a second tab and after the first was closed", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), "Saved in this browser");
  const second = await openPage({ context: page.context() });
  await ready(second);
  await says(outline(second), "OrgDirectory 25 items");
  await says(history(second), "2 requests");
  assert.deepEqual(second.problems, []);
}));

test("a fresh start by the address leaves the saved work out", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), "Saved in this browser");
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
      await says(banner(page), "Not saved: this browser keeps nothing for this page");
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
  await says(banner(page), "Not saved: this browser has no room left");
  await says(notice(page), "This browser has no room left for this design");
  await notice(page).getByRole("button", { name: "Dismiss" }).click();
  await operation(page).selectOption("Scan");
  await run(page);
  await says(result(page), "PROJECT#p-10");
  await says(banner(page), "Not saved: this browser has no room left");
  assert.equal(await notice(page).count(), 0, "it is said once");
}));

test("a save that finds no room leaves what was kept before, and the next one with room keeps all", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  await page.evaluate(() => {
    globalThis.realPut = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function put(value, key) {
      if (this.name === "chunks") throw new DOMException("full", "QuotaExceededError");
      return globalThis.realPut.call(this, value, key);
    };
  });
  await rename(page, "Fuller floor");
  await says(banner(page), "Not saved: this browser has no room left");
  const second = await openPage({ context: page.context() });
  await ready(second);
  await says(outline(second), "OrgDirectory 25 items");
  await says(banner(second), "Factory floor");
  await second.close();
  await page.evaluate(() => { IDBObjectStore.prototype.put = globalThis.realPut; });
  await rename(page, "Fullest floor");
  await says(banner(page), SAVED);
  await page.reload();
  await ready(page);
  await says(banner(page), "Fullest floor");
}));

test("a browser that calls a save off for want of room has not saved", onPage(async (page) => {
  await ready(page);
  await page.evaluate(() => {
    const commit = IDBTransaction.prototype.commit;
    IDBTransaction.prototype.commit = function () {
      if (this.mode === "readwrite") this.abort(); else commit.call(this);
    };
  });
  await writeProject(page);
  await says(banner(page), "Not saved: this browser has no room left");
}));

test("a saved session that cannot be read is offered as a file, and the example opens", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), "Saved in this browser");
  await page.evaluate(() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("hashrange");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const writing = opening.result.transaction("chunks", "readwrite");
      writing.objectStore("chunks").put(new Uint8Array([1, 2, 3, 4]), [1, 0]);
      writing.oncomplete = () => { opening.result.close(); resolve(); };
      writing.onerror = () => reject(writing.error);
    };
  }));
  await page.reload();
  await ready(page);
  const said = page.getByRole("status").filter({ hasText: "could not be opened" });
  await says(said, "The last session could not be opened.");
  const saving = page.waitForEvent("download");
  await said.getByRole("link", { name: "Download it" }).click();
  assert.equal((await saving).suggestedFilename(), "hashrange-session.bin");
  await says(outline(page), "OrgDirectory 24 items");
  // It stays on the shelf, should a newer version read it.
  await openShelf(page);
  await says(kept(page), "Factory floor");
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
  await says(banner(page), "Not changed, not saved");
  const before = await target(page).getByRole("option").allTextContents();
  await page.reload();
  await ready(page);
  assert.deepEqual(await target(page).getByRole("option").allTextContents(), before);
  assert.ok(!(await words(outline(page))).includes("OrgDirectory"));
}));

test("a first visit leaves nothing in the browser until something is changed", onPage(async (page) => {
  await ready(page);
  assert.deepEqual(await stored(page), { databases: [], local: [], tab: [] });
}));

test("what an earlier version kept is taken over, with the request typed and not run", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT);
  await says(banner(page), SAVED);
  const opened = (name, version) => `new Promise((resolve, reject) => {
    const opening = indexedDB.open(${JSON.stringify(name)}, ${version});
    opening.onupgradeneeded = () => opening.result.createObjectStore("session");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  })`;
  // As version 1 had it: one store, a chunk under its number, and one draft.
  await page.goto(new URL("styles/base.css", page.url()).href);
  await page.evaluate(`(async () => {
    const now = await ${opened("hashrange", 2)};
    const chunks = await new Promise((resolve) => {
      now.transaction("chunks").objectStore("chunks").getAll().onsuccess = (event) => resolve(event.target.result);
    });
    now.close();
    await new Promise((resolve) => { indexedDB.deleteDatabase("hashrange").onsuccess = resolve; });
    const whole = new Uint8Array(await new Blob(chunks).arrayBuffer());
    const old = await ${opened("hashrange", 1)};
    const writing = old.transaction("session", "readwrite");
    const half = whole.length >> 1;
    writing.objectStore("session").put(whole.slice(0, half), 0);
    writing.objectStore("session").put(whole.slice(half), 1);
    await new Promise((resolve) => { writing.oncomplete = resolve; });
    old.close();
    const draft = localStorage.getItem("hashrange.draft.1");
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem("hashrange.draft", draft);
    localStorage.setItem("hashrange.theme", "dark");
  })()`);
  await page.goto(new URL("../", page.url()).href);
  await ready(page);
  await says(outline(page), "OrgDirectory 25 items");
  await says(history(page), "2 requests");
  await says(banner(page), SAVED);
  assert.equal(await editor(page).inputValue(), NEW_PROJECT);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await openShelf(page);
  await says(kept(page), "Factory floor", "in view", "65 items");
  assert.equal(await kept(page).getByRole("listitem").count(), 1);
  await closeDialog(page);
  await rename(page, "Taken over");
  await says(banner(page), SAVED);
  await page.reload();
  await ready(page);
  await says(banner(page), "Taken over");
  // The style sheet that stood in for the page has no icon.
  page.problems = page.problems.filter((problem) => !problem.includes("404"));
}));

test("after a fault of the engine the last saved state is offered, and a reload finds it", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  // An element that cannot be copied is what no browser has: the page's own code stops.
  await page.evaluate(() => {
    const clone = Node.prototype.cloneNode;
    Node.prototype.cloneNode = function (isDeep) {
      if (isDeep) return clone.call(this, isDeep);
      throw new DOMException("broken", "NotSupportedError");
    };
  });
  await page.getByRole("button", { name: "About Hashrange" }).click();
  const alert = page.getByRole("alert");
  await says(alert, "The engine stopped", "Your last saved state is safe in this browser.", ".rs:");
  assert.deepEqual(await axe(page), []);
  const saving = page.waitForEvent("download");
  await alert.getByRole("link", { name: "Download it" }).click();
  const download = await saving;
  assert.equal(download.suggestedFilename(), "hashrange-session.bin");
  const bytes = await readFile(await download.path());
  assert.ok(page.problems.some((problem) => problem.includes("panicked at")), page.problems.join("\n"));
  page.problems.length = 0;
  await alert.getByRole("link", { name: "Reload the last saved state" }).click();
  await ready(page);
  await says(outline(page), "OrgDirectory 25 items");
  await chooseFile(page, { name: "hashrange-session.bin", mimeType: "application/octet-stream", buffer: bytes });
  await says(dialog(page), "Factory floor", "65 items");
}));
