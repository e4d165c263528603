// The whole path without a mouse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import {
  capacity, chooseFile, dialog, editor, eventually, file, grid, history, model, operation, outline, ready, result, running,
  says, tab,
} from "./parts.mjs";

/** What has the focus: its name for tests, and whether it shows. */
const focused = (page) => page.evaluate(() => {
  const place = document.activeElement;
  if (!place || place === document.body) return null;
  const shown = [place, ...place.querySelectorAll(".cursor"), place.parentElement, place.closest(".text")];
  const isShown = shown.some((part) => {
    if (!part) return false;
    const style = getComputedStyle(part);
    return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2;
  });
  const box = place.getBoundingClientRect();
  const label = place.getAttribute("aria-label") ?? place.innerText ?? "";
  return { tag: place.tagName, role: place.getAttribute("role"), label: label.trim(), isShown, area: box.width * box.height };
});

/** Presses `key` until `is` says the right thing has the focus. */
async function walk(page, key, is) {
  for (let steps = 0; steps < 120; steps += 1) {
    await page.keyboard.press(key);
    const place = await focused(page);
    if (place && is(place)) return place;
  }
  throw new Error(`no way to it by ${key}`);
}

/** The cell that the grid's cursor is on, as it is announced. */
const activeCell = (page) => grid(page).getAttribute("aria-activedescendant");

test("without a mouse a person finds an item, reads it, and walks the indexes", onPage(async (page) => {
  await ready(page);
  await page.keyboard.press("Tab");
  assert.equal((await focused(page)).label, "Skip to the table");
  await page.keyboard.press("Enter");
  await eventually(page, async () => assert.equal((await focused(page))?.role, "grid"));
  await page.keyboard.press("Control+Home");
  const first = await activeCell(page);
  await page.keyboard.press("ArrowDown");
  await eventually(page, async () => assert.notEqual(await activeCell(page), first));
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Home");
  // After a long jump the rows, and with them the cursor's cell, come over several frames.
  await eventually(page, async () => {
    const cell = page.locator(`[id="${await activeCell(page)}"]`);
    assert.equal(await cell.count(), 1);
    assert.match(await cell.getAttribute("aria-label") ?? "", /^ORG#1234, PROJECT#p-08, Project/);
  });
  assert.ok((await focused(page)).isShown, "the cursor does not show");
  await page.keyboard.press("Shift+Enter");
  await walk(page, "Tab", ({ label }) => label === "Write a GetItem");
  await page.keyboard.press("Enter");
  await eventually(page, async () => assert.equal(await operation(page).inputValue(), "GetItem"));
  await running(page, () => page.keyboard.press("Control+Enter"));
  await says(result(page), "Vision QA pilot");
  await walk(page, "Shift+Tab", ({ role }) => role === "tab");
  await page.keyboard.press("ArrowRight");
  await eventually(page, async () => assert.equal(await tab(page, "GSI1").getAttribute("aria-selected"), "true"));
  await eventually(page, async () => assert.match(await grid(page).getAttribute("aria-label"), /^GSI1/));
  await page.keyboard.press("End");
  await eventually(page, async () => assert.equal(await tab(page, "isOnHold").getAttribute("aria-selected"), "true"));
  await page.keyboard.press("Home");
  await eventually(page, async () => assert.equal(await tab(page, "OrgDirectory").getAttribute("aria-selected"), "true"));
}));

test("without a mouse a request is written, run, and its result read", onPage(async (page) => {
  await ready(page);
  await walk(page, "Tab", ({ label, tag }) => tag === "TEXTAREA" && label.startsWith("Request"));
  assert.ok((await focused(page)).isShown, "the focus does not show in the editor");
  await page.keyboard.press("Control+A");
  await page.keyboard.type('{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = :o", "ExpressionAttributeValues": {":o": {"S": "ORG#5678"}}}');
  await running(page, () => page.keyboard.press("Control+Enter"));
  await says(capacity(page), "RCU");
  assert.ok(await editor(page).evaluate((field) => field === document.activeElement), "running moved the focus");
  await page.keyboard.press("Escape");
  await eventually(page, async () => assert.equal(await focused(page), null));
  await editor(page).focus();
  await walk(page, "Tab", ({ label }) => label === "JSON");
  await page.keyboard.press("Space");
  await says(result(page), '"Count": 5');
}));

test("Tab leaves the editor, so nobody is trapped in it", onPage(async (page) => {
  await ready(page);
  const before = await editor(page).inputValue();
  await editor(page).focus();
  await page.keyboard.press("Tab");
  assert.notEqual((await focused(page)).tag, "TEXTAREA");
  assert.equal(await editor(page).inputValue(), before);
}));

test("what has the focus keeps it while what is around it is drawn anew", onPage(async (page) => {
  await ready(page);
  // A new row comes above the one that has the focus.
  await history(page).getByRole("button", { name: "Run request 1 again" }).focus();
  await running(page, () => page.keyboard.press("Enter"));
  assert.equal((await focused(page))?.label, "Run request 1 again");
  // The pattern's button gets the cost of what it ran.
  const pattern = outline(page).getByRole("button", { name: /^1\s.*Get an organisation/ });
  await pattern.focus();
  await running(page, () => page.keyboard.press("Enter"));
  await says(pattern, "RCU");
  assert.match((await focused(page))?.label ?? "", /Get an organisation/);
}));

test("every stop of the Tab key has a name and shows that it has the focus", onPage(async (page) => {
  await ready(page);
  const faults = [];
  let stops = 0;
  for (;;) {
    await page.keyboard.press("Tab");
    const place = await focused(page);
    if (!place) break;
    stops += 1;
    const isNamed = place.label.length > 0 || place.tag === "SELECT";
    if (!isNamed || !place.isShown || place.area === 0) faults.push(place);
    assert.ok(stops < 200, "Tab goes round without end");
  }
  assert.deepEqual(faults, []);
  assert.ok(stops > 20, `only ${stops} stops`);
}));

test("dialogs hold the focus, close with Esc, and give the focus back", onPage(async (page) => {
  await ready(page);
  for (const [opener, title] of [
    ["Import a file", "Import a design"], ["Help and keyboard", "Help"], ["About Hashrange", "About Hashrange"],
  ]) {
    const button = page.getByRole("button", { name: opener });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: title }).waitFor();
    for (let steps = 0; steps < 8; steps += 1) {
      await page.keyboard.press("Tab");
      const isInside = await page.evaluate(() =>
        document.activeElement === document.body || document.activeElement.closest("dialog") !== null);
      assert.ok(isInside, `Tab leads out of ${title}`);
    }
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await eventually(page, async () =>
      assert.ok(await button.evaluate((element) => element === document.activeElement), `${opener} lost the focus`));
  }
}));

test("a question mark opens the list of keys, but not while a request is typed", onPage(async (page) => {
  await ready(page);
  await editor(page).click();
  await page.keyboard.type("?");
  assert.equal(await dialog(page).count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await says(page.getByRole("dialog", { name: "Help" }), "run the request, from anywhere", "go to the error in the request");
}));

test("letter keys can be switched off and stay off", onPage(async (page) => {
  await ready(page);
  await page.keyboard.press("?");
  await dialog(page).getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.reload();
  await ready(page);
  await page.keyboard.press("?");
  await page.getByRole("button", { name: "Help and keyboard" }).click();
  assert.ok(!(await dialog(page).getByRole("checkbox").isChecked()));
}));

test("brackets jump from partition key to partition key", onPage(async (page) => {
  await ready(page);
  await grid(page).focus();
  await page.keyboard.press("Control+Home");
  const seen = new Set();
  for (let jumps = 0; jumps < 5; jumps += 1) {
    seen.add(await activeCell(page));
    await page.keyboard.press("]");
  }
  assert.equal(seen.size, 5);
  await page.keyboard.press("[");
  await eventually(page, async () => assert.ok(seen.has(await activeCell(page))));
}));

test("a pattern of the outline runs by Enter", onPage(async (page) => {
  await ready(page);
  await outline(page).getByRole("button", { name: "Get an organisation" }).focus();
  await running(page, () => page.keyboard.press("Enter"));
  await says(result(page), "Fenwick Robotics");
}));

test("the cursor shows in every column of a table without indexes", onPage(async (page) => {
  await ready(page);
  await chooseFile(page, file("odd_values.json", await model("odd_values.json")));
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await says(outline(page), "Odd 2 items");
  await grid(page).focus();
  for (const key of ["Control+Home", "End", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"]) {
    await page.keyboard.press(key);
    await eventually(page, async () => {
      const cell = page.locator(`[id="${await grid(page).getAttribute("aria-activedescendant")}"]`);
      assert.ok((await cell.boundingBox())?.width > 4, `${key} leads to a cell that cannot be seen`);
    });
  }
}));
