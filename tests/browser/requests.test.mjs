// Requests written and run: filters, pages, templates, writes that are taken back, the history.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import {
  capacity, countRequests, editor, eventually, grid, history, items, marked, operation, outline, paste, problem,
  ready, request, result, run, runButton, running, says, tab, target, type, words,
} from "./parts.mjs";

/** Projects of ORG#1234 over a budget; four items to a page. */
const OVER_BUDGET = `{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :org AND begins_with(SK, :p)", "FilterExpression": "budget > :b", "ExpressionAttributeValues": {":org": {"S": "ORG#1234"}, ":p": {"S": "PROJECT#"}, ":b": {"N": "20000"}}, "Limit": 4}`;
const NEW_PROJECT = `{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-10"}, "name": {"S": "Roof repair"}}}`;

test("a Query with a filter is typed, run with Ctrl+Enter, and its pages are followed", onPage(async (page) => {
  await ready(page);
  await type(page, OVER_BUDGET);
  await running(page, () => page.keyboard.press("Control+Enter"));
  await says(page.getByRole("main"), "Query 2 read 4 items");
  await says(result(page), "PROJECT#p-01", "PROJECT#p-03", "LastEvaluatedKey says there may be more.");
  const next = result(page).getByRole("button", { name: "Next page" });
  const pages = result(page).getByRole("list", { name: "Pages" }).getByRole("listitem");
  await next.click();
  await says(pages.nth(1), "Page 2 · 4 read, 1 returned", "ended at PROJECT#p-08");
  await says(result(page), "PROJECT#p-01", "PROJECT#p-08");
  await next.click();
  await says(pages.nth(2), "Page 3 · 1 read, 0 returned", "no more pages");
  await next.waitFor({ state: "detached" });
  assert.equal(await countRequests(page), 2);
  await eventually(page, async () => assert.equal(await grid(page).locator("[data-read]").count(), 9));
  assert.equal(await grid(page).locator("[data-read=returned]").count(), 3);
  await says(grid(page), "Page 1 ends here: Limit 4 reached. LastEvaluatedKey is PROJECT#p-04.", "Page 2 ends here");
}));

test("the template of every operation runs as it stands", onPage(async (page) => {
  await ready(page);
  const names = await operation(page).getByRole("option").allTextContents();
  assert.ok(names.length >= 59, `only ${names}`);
  // Two switch on what others need; there are no global tables of 2017 to ask for any more.
  const first = ["UpdateTable", "UpdateContinuousBackups"];
  const is2017 = (name) => name.includes("GlobalTable") && name !== "ListGlobalTables";
  const rest = names.filter((name) => ![...first, "DeleteTable"].includes(name) && !is2017(name));
  for (const name of [...first, ...rest, "DeleteTable"]) {
    await operation(page).selectOption(name);
    await request(page).getByRole("button", { name: "Template" }).click();
    await run(page);
    const title = await words(history(page).getByRole("row").nth(1));
    assert.ok(title.includes(name), `${title} is not the ${name} that ran`);
    assert.ok(!(await words(result(page))).startsWith("Result refused"), `${name}: ${await words(result(page))}`);
  }
  await eventually(page, async () =>
    assert.doesNotMatch(await words(outline(page)), /OrgDirectory \d/, "the deleted table is still listed"));
}));

test("a Query's and a Scan's template runs on every table and index", onPage(async (page) => {
  await ready(page);
  const labels = await target(page).getByRole("option").allTextContents();
  for (const name of ["Query", "Scan"]) {
    await operation(page).selectOption(name);
    for (const label of labels) {
      await target(page).selectOption({ label });
      await run(page);
      await says(capacity(page), "RCU");
      const shown = label.endsWith("base table") ? label.split(",")[0] : label.split(", ")[1];
      await eventually(page, async () =>
        assert.equal(await tab(page, shown).getAttribute("aria-selected"), "true"));
    }
  }
}));

test("only operations that exist can be chosen", onPage(async (page) => {
  await ready(page);
  assert.equal(await operation(page).evaluate((picker) => picker.tagName), "SELECT");
  for (const label of await operation(page).getByRole("option").allTextContents()) {
    assert.match(label, /^[A-Z][A-Za-z]+$/);
  }
}));

test("a write can be undone and done again", onPage(async (page) => {
  await ready(page);
  const undo = page.getByRole("button", { name: "Undo" });
  const redo = page.getByRole("button", { name: "Redo" });
  assert.ok(await undo.isDisabled());
  await operation(page).selectOption("PutItem");
  await type(page, NEW_PROJECT);
  await run(page);
  await says(capacity(page), "WCU");
  await says(outline(page), "OrgDirectory 25 items");
  await undo.click();
  await says(outline(page), "OrgDirectory 24 items");
  assert.ok(await undo.isDisabled());
  await redo.click();
  await says(outline(page), "OrgDirectory 25 items");
  await grid(page).click();
  await page.keyboard.press("Control+z");
  await says(outline(page), "OrgDirectory 24 items");
  await page.keyboard.press("Control+Shift+z");
  await says(outline(page), "OrgDirectory 25 items");
}));

test("a write is seen in the table and in its indexes", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT.replace('"name"', '"isOnHold": {"S": "2026-04-01"}, "name"'));
  await run(page);
  await says(outline(page), "OrgDirectory 25 items", "GSI1 inverted 25 entries", "isOnHold sparse 4 entries");
  await says(capacity(page), "Base table", "GSI1", "isOnHold");
  await tab(page, "isOnHold").click();
  await says(grid(page), "PROJECT#p-10");
}));

test("a request of the history opens again with its text, result and light, and runs again", onPage(async (page) => {
  await ready(page);
  const first = await editor(page).inputValue();
  await operation(page).selectOption("ListTables");
  await run(page);
  await says(result(page), "OrgDirectory");
  await history(page).getByRole("button", { name: "Projects on hold" }).click();
  await eventually(page, async () => assert.equal(await editor(page).inputValue(), first));
  assert.equal(await operation(page).inputValue(), "Query");
  await says(capacity(page), "3.5 RCU");
  await eventually(page, async () => assert.equal(await grid(page).locator("[data-read]").count(), 9));
  await running(page, () => history(page).getByRole("button", { name: "Run request 1 again" }).click());
  await says(page.getByRole("main"), "Query 3 read");
}));

test("what was typed for one operation waits while another is looked at", onPage(async (page) => {
  await ready(page);
  await type(page, OVER_BUDGET);
  await operation(page).selectOption("Scan");
  await eventually(page, async () => assert.notEqual(await editor(page).inputValue(), OVER_BUDGET));
  await operation(page).selectOption("Query");
  await eventually(page, async () => assert.equal(await editor(page).inputValue(), OVER_BUDGET));
}));

test("an item of the table writes a request for itself", onPage(async (page) => {
  await ready(page);
  await grid(page).getByRole("rowheader", { name: /PROJECT#p-07, Project/ }).click();
  await page.keyboard.press("Shift+Enter");
  await page.getByRole("button", { name: "Write a GetItem" }).click();
  await eventually(page, async () => assert.equal(await operation(page).inputValue(), "GetItem"));
  await run(page);
  await says(result(page), "1 item", "Dock scheduling");
}));

test("the light can be cleared while the result stays", onPage(async (page) => {
  await ready(page);
  await page.getByRole("main").getByRole("button", { name: "Clear" }).click();
  await eventually(page, async () => assert.equal(await grid(page).locator("[data-read]").count(), 0));
  await says(result(page), "2 items in 2 pages");
}));

test("a table is made, filled, read and deleted", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("CreateTable");
  await run(page);
  await says(outline(page), "Orders 0 items");
  await outline(page).getByRole("button", { name: "Orders" }).click();
  await says(grid(page), "No items yet");
  await grid(page).getByRole("button", { name: "Write a PutItem" }).click();
  await eventually(page, async () => assert.equal(await operation(page).inputValue(), "PutItem"));
  await runButton(page).click();
  await says(outline(page), "Orders 1 item");
  assert.equal(await items(page).count(), 1);
  await operation(page).selectOption("DeleteTable");
  await run(page);
  await eventually(page, async () => assert.ok(!(await words(outline(page))).includes("Orders")));
  assert.equal(await marked(page).count(), 0, await problem(page).textContent());
}));
