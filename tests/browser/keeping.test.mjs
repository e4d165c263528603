// Work is kept in the browser: a reload finds it again, and a browser that keeps nothing is no obstacle.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axe, onPage, openPage, viewports } from "./harness.mjs";
import {
  chooseFile, dialog, editor, eventually, grid, history, operation, outline, paste, ready, result, run, runButton, says,
  target, words,
} from "./parts.mjs";

const NEW_PROJECT = '{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-10"}, "name": {"S": "Roof repair"}}}';

const SAVED = "Saved in this browser";
const banner = (page) => page.locator(".topbar-panel");
const notice = (page) => page.locator(".notice-panel");
const elsewhere = (page) => page.locator(".shelf-strip");
const kept = (page) => dialog(page).getByRole("list", { name: "Kept designs" });
const deleted = (page) => dialog(page).getByRole("list", { name: "Deleted designs" });
const named = (page, name) => dialog(page).getByRole("button", { name, exact: true });

async function openShelf(page) {
  await banner(page).getByRole("button", { name: "Designs", exact: true }).click();
  await dialog(page).waitFor();
}

async function closeDialog(page) {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

async function rename(page, title) {
  await banner(page).getByRole("button", { name: /^Rename design/ }).click();
  await banner(page).getByRole("textbox", { name: "Title of the design" }).fill(title);
  await page.keyboard.press("Enter");
  await says(banner(page), title);
}

/** Changes the first visit's design and opens another, changed as well: two are kept, and the second is in view. */
async function keepTwo(page) {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  await page.getByRole("combobox", { name: "Examples" }).selectOption({ label: "File versions" });
  await rename(page, "My files");
  await says(banner(page), SAVED);
}

/** What the browser holds of the page. */
const stored = (page) => page.evaluate(async () => ({
  databases: (await indexedDB.databases()).map(({ name }) => name),
  local: Object.keys(localStorage),
  tab: Object.keys(sessionStorage),
}));

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

test("several designs are kept; each opens with its own tables and history", onPage(async (page) => {
  await keepTwo(page);
  await openShelf(page);
  await says(kept(page), "My files", "in view", "Factory floor", "65 items", "changed just now");
  await named(page, "Open Factory floor").click();
  await says(outline(page), "OrgDirectory 25 items");
  await says(history(page), "2 requests");
  await says(banner(page), "Factory floor", SAVED);
  await page.reload();
  await ready(page);
  await says(outline(page), "OrgDirectory 25 items");
  await openShelf(page);
  await named(page, "Open My files").click();
  await says(banner(page), "My files", SAVED);
  await eventually(page, async () => assert.ok(!(await words(outline(page))).includes("OrgDirectory")));
}));

test("a design is renamed in place by keyboard, and Escape leaves its title", onPage(async (page) => {
  await ready(page);
  const button = banner(page).getByRole("button", { name: /^Rename design/ });
  await button.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Plant one");
  await page.keyboard.press("Enter");
  await says(banner(page), "Plant one", SAVED);
  await eventually(page, async () => assert.ok(await button.evaluate((it) => it === document.activeElement)));
  await page.keyboard.press("Enter");
  await page.keyboard.type("Other");
  await page.keyboard.press("Escape");
  await says(banner(page), "Plant one");
  await page.getByRole("button", { name: "Undo" }).click();
  await says(banner(page), "Factory floor");
}));

test("a design of the list is renamed and duplicated without being opened", onPage(async (page) => {
  await keepTwo(page);
  await openShelf(page);
  await named(page, "Rename Factory floor").click();
  await dialog(page).getByRole("textbox", { name: "Title of the design" }).fill("Old floor");
  await page.keyboard.press("Enter");
  await named(page, "Duplicate Old floor").click();
  await named(page, "Open Old floor (2)").waitFor();
  await says(banner(page), "My files");
  await named(page, "Open Old floor (2)").click();
  await says(banner(page), "Old floor (2)", SAVED);
  await says(outline(page), "OrgDirectory 25 items");
}));

test("an empty design has nothing in it and offers the ways on", onPage(async (page) => {
  await ready(page);
  await openShelf(page);
  await named(page, "New, empty").click();
  await says(grid(page), "An empty design", "Guided, 5 steps");
  await says(banner(page), "Untitled design", "Not changed, not saved");
  await grid(page).getByRole("combobox", { name: "New from an example" }).selectOption({ label: "Factory floor" });
  await says(outline(page), "OrgDirectory 24 items");
  await page.getByRole("button", { name: "Go back to Untitled design" }).click();
  await operation(page).selectOption("CreateTable");
  await run(page);
  await says(outline(page), "Orders 0 items");
  await says(banner(page), SAVED);
}));

test("a deleted design is brought back by undo, by the list, or gone for good", onPage(async (page) => {
  await keepTwo(page);
  await openShelf(page);
  await named(page, "Delete Factory floor").click();
  await says(deleted(page), "Factory floor", "gone for good in 6 days");
  assert.ok(!(await words(kept(page))).includes("Factory floor"));
  await named(page, "Bring back Factory floor").click();
  await says(kept(page), "Factory floor");
  // The one in view: the other comes up, and undo brings it back into view.
  await named(page, "Delete My files").click();
  await says(notice(page), "My files was deleted.");
  await says(outline(page), "OrgDirectory 25 items");
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await says(banner(page), "My files", SAVED);
  await openShelf(page);
  await named(page, "Delete Factory floor").click();
  await named(page, "Delete for good Factory floor").click();
  await eventually(page, async () => assert.equal(await deleted(page).count(), 0));
  await page.reload();
  await ready(page);
  await openShelf(page);
  await says(kept(page), "My files");
  assert.ok(!(await words(kept(page))).includes("Factory floor"));
  assert.equal(await deleted(page).count(), 0);
}));

test("the last design deleted leaves an empty one", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  await openShelf(page);
  await named(page, "Delete Factory floor").click();
  await says(grid(page), "An empty design");
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await says(outline(page), "OrgDirectory 25 items");
}));

test("a design saved to a file comes back as it was", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  const saved = async () => {
    await openShelf(page);
    const saving = page.waitForEvent("download");
    await kept(page).getByRole("button", { name: /^Save to a file/ }).first().click();
    const download = await saving;
    await closeDialog(page);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  };
  const first = await saved();
  assert.equal(first.name, "factory-floor.hashrange.json");
  assert.ok(first.text.includes('"S":"ORG#1234"'), "it can be read");
  await chooseFile(page, { name: first.name, mimeType: "application/json", buffer: Buffer.from(first.text) });
  await says(dialog(page), "Factory floor", "2 tables", "65 items");
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await says(banner(page), SAVED);
  assert.deepEqual(await saved(), first);
  const newer = first.text.replace('"hashrange": 1', '"hashrange": 2');
  await chooseFile(page, { name: "newer.json", mimeType: "application/json", buffer: Buffer.from(newer) });
  await says(dialog(page), "It was saved by a newer version of Hashrange", "Nothing was changed.");
}));

test("a second tab on the same design says so and changes nothing, until it takes it over", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  const second = await openPage({ context: page.context() });
  await ready(second);
  await says(elsewhere(second), "Factory floor is open in another tab");
  await says(banner(second), "Open in another tab");
  await operation(second).selectOption("DeleteTable");
  await runButton(second).click();
  await says(notice(second), "Another tab works on this design, so nothing was changed.");
  await says(outline(second), "OrgDirectory 25 items");
  // The first goes on, and what it does last is what the second takes over.
  await rename(page, "Floor of the first");
  await says(banner(page), SAVED);
  await elsewhere(second).getByRole("button", { name: "Take over" }).click();
  await says(banner(second), "Floor of the first", SAVED);
  await says(elsewhere(page), "Floor of the first is open in another tab");
  await rename(second, "Floor of the second");
  await says(banner(second), SAVED);
  // A copy has a life of its own.
  await elsewhere(page).getByRole("button", { name: "Work on a copy" }).click();
  await says(banner(page), "Floor of the first (2)", SAVED);
  await rename(page, "A copy");
  await says(banner(page), SAVED);
  await second.reload();
  await ready(second);
  await says(banner(second), "Floor of the second", SAVED);
  await openShelf(second);
  await says(kept(second), "Floor of the second", "A copy");
  await named(second, "Delete A copy").click();
  await says(notice(second), "A copy is open in another tab. Close it there first.");
  assert.deepEqual(second.problems, []);
}));

test("two designs side by side in two tabs do not touch each other", onPage(async (page) => {
  await keepTwo(page);
  const second = await openPage({ context: page.context() });
  await ready(second);
  await openShelf(second);
  await named(second, "Open Factory floor").click();
  await says(outline(second), "OrgDirectory 25 items");
  await rename(second, "Floor");
  await rename(page, "Files");
  await says(banner(page), SAVED);
  await says(banner(second), SAVED);
  for (const [tab, title] of [[page, "Files"], [second, "Floor"]]) {
    await tab.reload();
    await ready(tab);
    await says(banner(tab), title, SAVED);
    assert.equal(await elsewhere(tab).innerText(), "");
  }
  assert.deepEqual(second.problems, []);
}));

test("a design whose tab was closed is free again", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  const second = await openPage({ context: page.context() });
  await ready(second);
  await says(elsewhere(second), "is open in another tab");
  await page.close();
  await second.reload();
  await ready(second);
  await rename(second, "Mine now");
  await says(banner(second), SAVED);
  assert.deepEqual(second.problems, []);
}));

test("where the browser has no locks, who saves second is refused and nothing is lost", onPage(async (page) => {
  await page.context().addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }));
  await page.reload();
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  const second = await openPage({ context: page.context() });
  await ready(second);
  await rename(page, "First");
  await says(banner(page), SAVED);
  await rename(second, "Second");
  await says(elsewhere(second), "is open in another tab");
  await elsewhere(second).getByRole("button", { name: "Work on a copy" }).click();
  await says(banner(second), "Second (2)", SAVED);
  await page.reload();
  await ready(page);
  await says(banner(page), "First");
}));

test("erasing everything asks once, and then nothing is left", onPage(async (page) => {
  await keepTwo(page);
  await page.getByRole("button", { name: /^Theme/ }).click();
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT);
  await openShelf(page);
  await named(page, "Delete Factory floor").click();
  await named(page, "Erase everything stored …").click();
  await says(dialog(page), "This erases 1 design, 1 deleted design that can still be brought back, your settings");
  await named(page, "Keep everything").click();
  await says(kept(page), "My files");
  await named(page, "Erase everything stored …").click();
  await Promise.all([page.waitForEvent("load"), named(page, "Erase everything").click()]);
  await ready(page);
  await says(outline(page), "OrgDirectory 24 items");
  assert.deepEqual(await stored(page), { databases: [], local: [], tab: [] });
  await openShelf(page);
  await says(dialog(page), "No design is kept yet.");
}));

test("a tab whose design was erased in another does not bring it back", onPage(async (page) => {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  const second = await openPage({ context: page.context() });
  await ready(second);
  await openShelf(second);
  await named(second, "Erase everything stored …").click();
  await Promise.all([second.waitForEvent("load"), named(second, "Erase everything").click()]);
  await says(elsewhere(page), "is open in another tab");
  await elsewhere(page).getByRole("button", { name: "Take over" }).click();
  await says(notice(page), "Another tab erased or changed this design meanwhile.");
  assert.deepEqual((await stored(page)).databases, []);
  await elsewhere(page).getByRole("button", { name: "Work on a copy" }).click();
  await says(banner(page), "Factory floor (2)", SAVED);
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

for (const colorScheme of ["light", "dark"]) {
  for (const [width, viewport] of Object.entries(viewports)) {
    test(`axe finds nothing serious in the list of designs, ${colorScheme}, ${width}`, onPage(async (page) => {
      await ready(page);
      await rename(page, "A design with a title that is a good deal longer than a phone is wide");
      await says(banner(page), "A design");
      await openShelf(page);
      await kept(page).waitFor();
      await kept(page).getByRole("button", { name: /^Duplicate/ }).click();
      await eventually(page, async () => assert.equal(await kept(page).getByRole("listitem").count(), 2));
      await kept(page).getByRole("button", { name: /^Delete .*\(2\)$/ }).click();
      await deleted(page).waitFor();
      assert.deepEqual(await axe(page), []);
      await kept(page).getByRole("button", { name: /^Rename/ }).click();
      await named(page, "Erase everything stored …").click();
      assert.deepEqual(await axe(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await closeDialog(page);
      const second = await openPage({ context: page.context() });
      await says(elsewhere(second), "is open in another tab");
      assert.deepEqual(await axe(second), []);
      assert.ok(await second.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }, { colorScheme, viewport }));
  }
}
