// Editing in the table picture: cells, items, drafts, chosen rows, find, paste, import, and all of it taken back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { chooseFile, dialog, eventually, file, grid, items, outline, ready, says, words } from "./parts.mjs";

const card = (page) => page.getByRole("region", { name: "Item", exact: true });
const draft = (page) => page.getByRole("region", { name: "New item, not kept yet" });
const undo = (page) => page.getByRole("button", { name: "Undo" });
const cell = (page, row, text) => items(page).filter({ hasText: row }).getByText(text, { exact: true });
const N_ITEMS = "OrgDirectory 24 items";

/** Puts the cursor on a cell by a click. */
async function choose(page, row, text) {
  await cell(page, row, text).first().click();
}

/** What the copy of the chosen items would be. */
const copied = (page) => page.evaluate(() => {
  const held = new DataTransfer();
  const event = new ClipboardEvent("copy", { clipboardData: held, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
  return held.getData("text/plain");
});

/** Pastes a text where the focus is. */
const pasteHere = (page, text) => page.evaluate((text) => {
  const held = new DataTransfer();
  held.setData("text/plain", text);
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: held, bubbles: true, cancelable: true }));
}, text);

test("a cell is typed over by keys alone, kept, and taken back", onPage(async (page) => {
  await ready(page);
  await choose(page, "EMPLOYEE#e-07Ines", "Plant engineer");
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Value of title" });
  await field.waitFor();
  assert.ok(await field.evaluate((it) => it === document.activeElement));
  await page.keyboard.type("Chief of plant");
  await page.keyboard.press("Enter");
  await says(grid(page), "Chief of plant");
  assert.equal(await field.count(), 0);
  await eventually(page, async () => assert.ok(await grid(page).evaluate((it) => it === document.activeElement)));
  assert.equal(await undo(page).getAttribute("title"), "Undo changing title (Ctrl+Z)");
  assert.equal(await grid(page).locator("[data-written]").count(), 1);
  await page.keyboard.press("Control+z");
  await eventually(page, async () => assert.equal(await grid(page).getByText("Chief of plant").count(), 0));
  await page.keyboard.press("Control+Shift+Z");
  await says(grid(page), "Chief of plant");
}));

test("Esc leaves a cell as it was, and Tab keeps and moves on", onPage(async (page) => {
  await ready(page);
  await cell(page, "EMPLOYEE#e-12Tomasz", "Controls lead").first().dblclick();
  await page.getByRole("textbox", { name: "Value of title" }).fill("Nothing");
  await page.keyboard.press("Escape");
  await says(grid(page), "Controls lead");
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Value of title" }).fill("Controls");
  await page.keyboard.press("Tab");
  const next = page.getByRole("textbox", { name: "Value of email" });
  await next.waitFor();
  assert.equal(await next.inputValue(), "tomasz@fenwick.example");
  await page.keyboard.press("Escape");
  await cell(page, "EMPLOYEE#e-12Tomasz", "Controls").waitFor();
}));

test("what DynamoDB refuses is said at the cell, and what was typed stays", onPage(async (page) => {
  await ready(page);
  await choose(page, "EMPLOYEE#e-07Ines", "Plant engineer");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Value of SK" });
  const problem = page.locator("#edit-problem");
  for (const [text, reason] of [
    ["", "cannot contain an empty string value. Key: SK"],
    ["EMPLOYEE#e-12", "already. A key belongs to one item"],
  ]) {
    await field.fill(text);
    await page.keyboard.press("Enter");
    await says(problem, reason);
    assert.equal(await field.inputValue(), text);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
  }
  await page.getByRole("combobox", { name: "Type of SK" }).selectOption("N");
  await field.fill("7");
  await field.press("Enter");
  await says(problem, "Type mismatch for key SK expected: S actual: N");
  await page.getByRole("combobox", { name: "Type of SK" }).selectOption("S");
  await field.fill("EMPLOYEE#e-99");
  await field.press("Enter");
  await says(grid(page), "EMPLOYEE#e-99");
  await says(outline(page), N_ITEMS);
  await page.keyboard.press("Control+z");
  await says(grid(page), "EMPLOYEE#e-07");
}));

test("nested values open as a tree and their leaves are typed over", onPage(async (page) => {
  await ready(page);
  await cell(page, "Fenwick", "{4}").dblclick();
  await says(card(page), "settings", "locale", "en-GB", "comes before");
  await card(page).getByRole("button", { name: /^Edit zone/ }).click();
  const field = page.getByRole("textbox", { name: "Value of zone" });
  await field.fill("Europe/Oslo");
  await field.press("Enter");
  await says(card(page), "Europe/Oslo");
  await card(page).getByRole("button", { name: "Add to settings" }).click();
  await page.getByRole("textbox", { name: "Attribute name" }).fill("colour");
  await page.getByRole("textbox", { name: /^Value of/ }).fill("red");
  await page.keyboard.press("Enter");
  await says(card(page), "colour", "red");
  await card(page).getByRole("button", { name: "Delete colour" }).click();
  await eventually(page, async () => assert.ok(!(await words(card(page))).includes("colour")));
  await card(page).getByRole("button", { name: "Add attribute" }).click();
  await page.getByRole("textbox", { name: "Attribute name" }).fill("motto");
  await page.getByRole("textbox", { name: /^Value of/ }).fill("More robots");
  await page.keyboard.press("Enter");
  await says(card(page), "motto", "More robots");
  await page.keyboard.press("Escape");
  await eventually(page, async () => assert.equal(await card(page).count(), 0));
  for (let steps = 0; steps < 4; steps += 1) await undo(page).click();
  await eventually(page, async () => assert.ok(await undo(page).isDisabled()));
}));

test("a new item is a dashed draft until it has its keys", onPage(async (page) => {
  await ready(page);
  await choose(page, "EMPLOYEE#e-07Ines", "Plant engineer");
  await page.getByRole("button", { name: "Item", exact: true }).click();
  await says(draft(page), "draft", "It needs");
  const keep = draft(page).getByRole("button", { name: "Keep item" });
  assert.ok(await keep.isDisabled());
  assert.equal(await draft(page).evaluate((it) => getComputedStyle(it).borderTopStyle), "dashed");
  // Work goes on elsewhere and the draft stays.
  await choose(page, "EMPLOYEE#e-12Tomasz", "Controls lead");
  await says(draft(page), "It needs");
  const slots = draft(page).locator(".slot input");
  const n = await slots.count();
  for (let at = 0; at < n; at += 1) if (await slots.nth(at).inputValue() === "") await slots.nth(at).fill("e-55");
  await draft(page).getByRole("textbox", { name: "Value of name" }).fill("Nadia Newcomer");
  await keep.click();
  await says(grid(page), "EMPLOYEE#e-55", "Nadia Newcomer");
  await says(outline(page), "OrgDirectory 25 items");
  assert.equal(await draft(page).count(), 0);
  await page.keyboard.press("Control+z");
  await says(outline(page), N_ITEMS);
}));

test("rows are chosen with Shift and Ctrl and acted on together", onPage(async (page) => {
  await ready(page);
  await choose(page, "EMPLOYEE#e-07Ines", "Plant engineer");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  const bar = page.getByRole("group", { name: "Chosen items" });
  await says(bar, "3 items chosen");
  assert.equal(await grid(page).locator('[aria-selected="true"].is-item').count(), 3);
  const text = await copied(page);
  assert.deepEqual(text.split("\n")[0].split("\t").slice(0, 3), ["PK", "SK", "name"]);
  assert.equal(text.trim().split("\n").length, 4);
  await bar.getByRole("button", { name: "Duplicate" }).click();
  await says(outline(page), "OrgDirectory 27 items");
  assert.equal(await grid(page).locator("[data-written]").count(), 3);
  await page.keyboard.press("Control+z");
  await says(outline(page), N_ITEMS);
  await choose(page, "EMPLOYEE#e-07Ines", "Plant engineer");
  await page.keyboard.press("Control+a");
  await says(bar, "13 items chosen");
  await cell(page, "EMPLOYEE#e-12Tomasz", "Controls lead").first().click({ modifiers: ["Control"] });
  await says(bar, "12 items chosen");
  await grid(page).focus();
  await page.keyboard.press("Delete");
  await says(outline(page), "OrgDirectory 12 items");
  await eventually(page, async () => assert.equal(await bar.count(), 0));
  await page.keyboard.press("Control+z");
  await says(outline(page), N_ITEMS);
}));

test("find counts and jumps, and hides what lacks the text", onPage(async (page) => {
  await ready(page);
  await grid(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  const find = page.getByRole("searchbox", { name: "Find in items" });
  await find.waitFor();
  await page.keyboard.type("on_hold");
  await says(page.getByRole("search"), "3 of 24 items");
  await page.keyboard.press("Enter");
  await says(page.getByRole("search"), "of 3, in 24 items");
  await page.getByRole("button", { name: "Hide the rest" }).click();
  await eventually(page, async () => assert.equal(await items(page).count(), 3));
  assert.match(await grid(page).getAttribute("aria-label"), /3 of 24 items shown/);
  await find.fill("nowhere");
  await says(grid(page), "Nothing found");
  await find.press("Escape");
  await eventually(page, async () => assert.ok(await items(page).count() > 3));
  assert.doesNotMatch(await grid(page).getAttribute("aria-label"), /shown/);
}));

test("rows of a spreadsheet are pasted after a look at what would be refused", onPage(async (page) => {
  await ready(page);
  await grid(page).focus();
  await pasteHere(page, "PK\tSK\tname\tseats\nORG#1234\tEMPLOYEE#e-80\tAnn\t1\nORG#1234\tEMPLOYEE#e-07\tTaken\t2\nORG#1234\tEMPLOYEE#e-81\tBen\t3\n");
  await says(dialog(page), "3 rows, 4 columns", "2 items to add, 1 left out", "Line 3", "has an item with this key already");
  assert.equal(await dialog(page).getByRole("combobox", { name: "Type of seats" }).inputValue(), "N");
  await says(outline(page), N_ITEMS);
  await dialog(page).getByRole("checkbox", { name: "Replace items" }).check();
  await says(dialog(page), "2 items to add, 1 to replace");
  await dialog(page).getByRole("checkbox", { name: "Replace items" }).uncheck();
  await says(dialog(page), "2 items to add, 1 left out");
  await dialog(page).getByRole("button", { name: "Import 2 items" }).click();
  await says(outline(page), "OrgDirectory 26 items");
  await says(grid(page), "EMPLOYEE#e-80", "Ben");
  assert.equal(await undo(page).getAttribute("title"), "Undo pasting 2 items (Ctrl+Z)");
  await undo(page).click();
  await says(outline(page), N_ITEMS);
}));

test("a CSV file is mapped, and an entity's slots make the keys", onPage(async (page) => {
  await ready(page);
  const csv = "﻿org;Who;Mail\r\n1234;\"Moreau; Zoe\";zoe@x.example\r\n";
  await chooseFile(page, { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  // The column org fills the slot of an organisation, which is there already.
  const maker = dialog(page).getByLabel("Keys made by");
  await says(dialog(page), "CSV, 1 row, 3 columns", "0 items to add, 1 left out", "has an item with this key already");
  assert.equal(await maker.inputValue(), "Organisation");
  await maker.selectOption("");
  await says(dialog(page), "No column gives PK and SK");
  assert.equal(await dialog(page).getByRole("button", { name: /^Import \d/ }).count(), 0);
  await dialog(page).getByRole("textbox", { name: "Attribute of org" }).fill("PK");
  await dialog(page).getByRole("textbox", { name: "Attribute of Mail" }).fill("SK");
  await dialog(page).getByRole("textbox", { name: "Attribute of Who" }).click();
  // A key has the type of its table, though 1234 looks like a number.
  assert.equal(await dialog(page).getByRole("combobox", { name: "Type of org" }).inputValue(), "S");
  await says(dialog(page), "1 item to add");
  await dialog(page).getByRole("button", { name: "Import 1 item" }).click();
  await says(grid(page), "zoe@x.example", "Moreau; Zoe");
}));

test("DynamoDB JSON is recognised by the one import, in each of its spellings", onPage(async (page) => {
  await ready(page);
  const item = (sk) => ({ PK: { S: "ORG#1234" }, SK: { S: sk }, tags: { SS: ["a", "b"] } });
  for (const [name, content, summary] of [
    ["export.json", `{"Item":${JSON.stringify(item("x1"))}}\n{"Item":${JSON.stringify(item("x2"))}}\n`, "2 items to add"],
    ["list.json", JSON.stringify([item("x3")]), "1 item to add"],
    ["batch.json", JSON.stringify({ RequestItems: { OrgDirectory: [{ PutRequest: { Item: item("x4") } }] } }), "1 item to add"],
  ]) {
    await chooseFile(page, file(name, content));
    await says(dialog(page), summary);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
  }
  await says(outline(page), N_ITEMS);
}));

test("a row is read aloud with its whole key, entity and size", onPage(async (page) => {
  await ready(page);
  const label = await items(page).filter({ hasText: "Plant engineer" }).first().getByRole("rowheader").getAttribute("aria-label");
  assert.match(label.replace(/\s/g, " "), /^ORG#1234, EMPLOYEE#e-07, Employee, 100 B/);
}));

for (const [name, options] of [
  ["light", {}],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: viewports.phone }],
]) {
  test(`nobody is shut out of editing: ${name}`, onPage(async (page) => {
    await ready(page);
    await items(page).filter({ hasText: "Fenwick Robotics" }).first().locator(".sort").click();
    await grid(page).focus();
    await page.keyboard.press("Shift+Enter");
    await card(page).waitFor();
    await card(page).getByRole("button", { name: /^Edit plan/ }).click();
    await page.getByRole("textbox", { name: "Value of plan" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Item", exact: true }).click();
    await draft(page).waitFor();
    await grid(page).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+f");
    await page.getByRole("search").waitFor();
    assert.deepEqual(await axe(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
    await grid(page).focus();
    await pasteHere(page, "PK\tSK\nORG#1234\tnew\nORG#1234\t\n");
    await says(dialog(page), "1 item to add, 1 left out");
    assert.deepEqual(await axe(page), []);
  }, options));
}
