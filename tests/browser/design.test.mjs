// The design: patterns that test themselves, what would serve them better, and design notes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { eventually, outline, ready, result, run, says, words } from "./parts.mjs";

const views = (page) => page.getByRole("group", { name: "View" });
const design = (page) => page.locator("section.design-panel");
const patterns = (page) => design(page).getByRole("region", { name: "Access patterns" });
const opened = (page) => page.getByRole("region", { name: "Access pattern", exact: true });
const notes = (page) => page.getByRole("region", { name: "Design notes" });

/** Opens the design and waits until its patterns have run. */
async function open(page) {
  await ready(page);
  await views(page).getByRole("button", { name: "Design" }).click();
  await says(design(page), "7 of 9 served well");
}

test("an index that serves a scanning pattern is one click away, and one step back", onPage(async (page) => {
  await open(page);
  await patterns(page).getByRole("button", { name: "Find a project by name" }).click();
  await says(opened(page), "7. Find a project by name", "It reads all 24 items", "4 RCU");
  await opened(page).getByRole("button", { name: "Add the index byName" }).click();
  await says(design(page), "8 of 9 served well");
  await says(patterns(page), "Pattern 7: 4 → 0.5 RCU");
  await says(outline(page), "byName");
  await page.getByRole("button", { name: "Undo" }).click();
  await says(design(page), "7 of 9 served well");
  assert.ok(!(await words(outline(page))).includes("byName"));
}));

test("a design note is silenced for a reason and can be heard again", onPage(async (page) => {
  await open(page);
  const note = notes(page).getByRole("listitem").filter({ hasText: "Few keys." });
  await note.getByRole("button", { name: "Silence" }).click();
  await note.getByRole("textbox", { name: "Why this is fine" }).fill("A demonstration of heat.");
  await note.getByRole("button", { name: "Silence" }).click();
  await says(notes(page), "Silenced: A demonstration of heat.");
  await says(outline(page), "5 design notes");
  await note.getByRole("button", { name: "Show again" }).click();
  await says(outline(page), "6 design notes");
}));

test("a request of the history becomes an access pattern", onPage(async (page) => {
  await ready(page);
  await run(page);
  await result(page).getByRole("button", { name: "Keep as access pattern" }).click();
  await says(design(page), "of 10 served well");
  await says(opened(page), "10.");
  await opened(page).getByRole("button", { name: "Remove" }).click();
  await says(design(page), "of 9 served well");
}));

test("the list sorts by a column and groups by entity, by keyboard alone", onPage(async (page) => {
  await open(page);
  const units = patterns(page).getByRole("columnheader", { name: "Units" });
  await units.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await eventually(page, async () => assert.equal(await units.getAttribute("aria-sort"), "descending"));
  await says(patterns(page).getByRole("row").nth(1), "Update a project");
  await patterns(page).getByRole("checkbox", { name: "By entity" }).focus();
  await page.keyboard.press("Space");
  await says(patterns(page), "Sensor event");
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in the design, ${size}, ${colorScheme}`, onPage(async (page) => {
      await open(page);
      assert.deepEqual(await axe(page), []);
      await patterns(page).getByRole("button", { name: "Find a project by name" }).click();
      await opened(page).waitFor();
      assert.deepEqual(await axe(page), []);
    }, { viewport, colorScheme }));
  }
}

test("the bill follows the capacity mode and an own price, and undo takes each back", onPage(async (page) => {
  await ready(page);
  await views(page).getByRole("button", { name: "Cost" }).click();
  const bill = page.getByRole("region", { name: "Cost", exact: true });
  await says(bill, "a month on demand.", "Record a sensor event", "break-even at 28.9");
  const before = await words(bill.locator(".strip b"));
  await page.getByRole("combobox", { name: /^Capacity/ }).selectOption("provisioned");
  await says(bill, "provisioned");
  assert.notEqual(await words(bill.locator(".strip b")), before);
  await page.getByRole("button", { name: "Undo" }).click();
  await says(bill, before);
  await page.getByText("Prices", { exact: true }).click();
  const price = page.getByRole("textbox", { name: /^Price of / }).first();
  await price.fill("none");
  await price.press("Tab");
  await says(page.locator(".notice-panel"), "cost.prices");
}));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the bill, ${colorScheme}`, onPage(async (page) => {
    await ready(page);
    await views(page).getByRole("button", { name: "Cost" }).click();
    await page.getByRole("region", { name: "Cost", exact: true }).waitFor();
    assert.deepEqual(await axe(page), []);
  }, { colorScheme }));
}
