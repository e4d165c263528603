// The first visit: an example with a query already run, whose numbers can be read off the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import {
  capacity, editor, eventually, grid, history, items, operation, outline, ready, result, says, tab,
} from "./parts.mjs";

test("the first visit shows an example with a query already run", onPage(async (page) => {
  await ready(page);
  await says(page.getByRole("main"),
    "Query 1 read 9 items in one band of ORG#1234 and returned 2. The other 7 were filtered out after the read.");
  await says(history(page), "1 request", "Projects on hold", "9 → 2", "23.8 KB", "3.5 RCU");
  assert.equal(await operation(page).inputValue(), "Query");
  assert.match(await editor(page).inputValue(), /begins_with\(SK, :project\)/);
}));

test("the band of the first query is lit, and what was filtered out is struck through", onPage(async (page) => {
  await ready(page);
  const read = grid(page).locator("[data-read]");
  await eventually(page, async () => assert.equal(await read.count(), 9));
  assert.equal(await grid(page).locator("[data-read=returned]").count(), 2);
  await grid(page).getByRole("rowheader", { name: "PROJECT#p-02, Project, 2.6 KB, read and returned" }).waitFor();
  const filtered = grid(page).locator("[data-read=filtered]").first();
  const isStruck = await filtered.evaluate((row) =>
    [row, ...row.querySelectorAll("*")].some((part) => getComputedStyle(part).textDecorationLine.includes("line-through")));
  assert.ok(isStruck, "a filtered item is not struck through");
}));

test("the band of the first query is in view", onPage(async (page) => {
  await ready(page);
  const read = grid(page).locator("[data-read]");
  await eventually(page, async () => {
    const view = await grid(page).boundingBox();
    const row = await read.first().boundingBox();
    assert.ok(row.y >= view.y && row.y + row.height <= view.y + view.height, "the first lit row is out of view");
  });
}));

test("the result shows both pages that were followed and the items of both", onPage(async (page) => {
  await ready(page);
  const pages = result(page).getByRole("list", { name: "Pages" }).getByRole("listitem");
  assert.equal(await pages.count(), 2);
  await says(pages.nth(0), "Page 1 · 5 read, 1 returned", "ended at PROJECT#p-05");
  await says(pages.nth(1), "Page 2 · 4 read, 1 returned", "no more pages");
  await says(result(page), "2 items in 2 pages", "PROJECT#p-02", "PROJECT#p-07");
}));

test("the capacity says what the query read, returned and cost, and what an index would have cost", onPage(async (page) => {
  await ready(page);
  await says(capacity(page),
    "3.5 RCU eventually consistent",
    "page 1: 13.2 KB = 4 units", "page 2: 10.6 KB = 3 units",
    "returned 5.0 KB", "read, filtered out 18.8 KB", "rounding 4.2 KB",
    "Read 23.8 KB to return 5.0 KB: 79 % was filtered out after the read, and you pay for it.",
    "The sparse index isOnHold",
    "Strongly consistent 7 RCU", "Without Limit 3 RCU", "A million calls $0.44");
}));

test("the outline lists tables, indexes, entities and patterns, and a click shows an index", onPage(async (page) => {
  await ready(page);
  await says(outline(page), "OrgDirectory 24 items", "isOnHold sparse 3 entries", "Employee's projects");
  await outline(page).getByRole("button", { name: /^isOnHold/ }).click();
  await eventually(page, async () =>
    assert.match(await grid(page).getAttribute("aria-label"), /^isOnHold, 3 items/));
  assert.equal(await tab(page, "isOnHold").getAttribute("aria-selected"), "true");
  assert.equal(await items(page).count(), 3);
}));

test("an access pattern runs with one click and lights what it read", onPage(async (page) => {
  await ready(page);
  await outline(page).getByRole("button", { name: "Employee's projects" }).click();
  await says(history(page), "2 requests");
  await eventually(page, async () =>
    assert.match(await grid(page).getAttribute("aria-label"), /^GSI1/));
  assert.ok(await grid(page).locator("[data-read=returned]").count() > 0);
}));

test("every example opens, and the work before it can be brought back", onPage(async (page) => {
  await ready(page);
  const examples = page.getByRole("combobox", { name: "Examples" });
  const titles = (await examples.getByRole("option").allTextContents()).slice(1);
  assert.ok(titles.length >= 3, `only ${titles}`);
  for (const title of titles.slice(1)) {
    await examples.selectOption({ label: title });
    await says(page.getByRole("banner"), title);
    await items(page).first().waitFor();
  }
  await page.getByRole("button", { name: `Go back to ${titles.at(-2)}` }).click();
  await eventually(page, async () => assert.equal(
    await examples.evaluate((select) => select.selectedOptions[0].label), titles.at(-2)));
}));

test("the about box says what this is, that nothing leaves the browser, and whose names it uses", onPage(async (page) => {
  await ready(page);
  await page.getByRole("button", { name: "About Hashrange" }).click();
  await says(page.getByRole("dialog", { name: "About Hashrange" }),
    "Nothing leaves the browser", "trademarks of Amazon.com, Inc.", "not affiliated", "Version", "MIT or Apache 2.0");
}));

test("no request leaves the page's own address", async (t) => {
  const seen = [];
  await onPage(async (page) => {
    page.on("request", (request) => seen.push(request.url()));
    await page.reload();
    await ready(page);
    const home = new URL(page.url()).origin;
    const strangers = seen.filter((url) => !url.startsWith(home) && !url.startsWith("blob:") && !url.startsWith("data:"));
    assert.deepEqual(strangers, []);
    assert.ok(seen.length > 0);
  })(t);
});
