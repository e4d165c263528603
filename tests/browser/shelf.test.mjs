// Several designs kept in the browser: named, duplicated, deleted, saved to a file, and open in one tab at a time.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { axe, onPage, openPage, viewports } from "./harness.mjs";
import {
  NEW_PROJECT, SAVED, banner, notice, elsewhere, kept, deleted, named, openShelf, closeDialog, rename, keepTwo,
  stored, writeProject,
} from "./kept.mjs";
import {
  chooseFile, dialog, eventually, grid, history, items, operation, outline, paste, ready, run, runButton, says, words,
} from "./parts.mjs";

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
  // Wherever something is typed it is refused there, and what was typed stays.
  await items(second).getByText("Plant engineer", { exact: true }).dblclick();
  const cell = second.getByRole("textbox", { name: "Value of title" });
  await cell.fill("Chief of plant");
  await cell.press("Enter");
  await says(second.locator("#edit-problem"), "Another tab works on this design");
  assert.equal(await cell.inputValue(), "Chief of plant");
  await cell.press("Escape");
  await outline(second).getByRole("button", { name: "Add an entity" }).click();
  await dialog(second).getByRole("textbox", { name: "Name", exact: true }).fill("Visit");
  await dialog(second).getByRole("button", { name: "Add entity" }).click();
  await says(dialog(second), "Another tab works on this design");
  assert.equal(await dialog(second).getByRole("textbox", { name: "Name", exact: true }).inputValue(), "Visit");
  await dialog(second).getByRole("button", { name: "Close" }).click();
  await dialog(second).waitFor({ state: "detached" });
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
