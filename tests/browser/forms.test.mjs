// The designer's forms: entities, indexes on trial, tables that are made anew, access patterns.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { dialog, eventually, outline, ready, says, words } from "./parts.mjs";

const views = (page) => page.getByRole("group", { name: "View" });
const design = (page) => page.locator("section.design-panel");
const form = (page) => page.getByRole("region", { name: "Index form" });
const draft = (page) => page.getByRole("region", { name: "Draft" });
const field = (place, name) => place.getByLabel(name, { exact: true });
const button = (place, name) => place.getByRole("button", { name, exact: true });

/** Opens the design and waits until its patterns have run. */
async function open(page) {
  await ready(page);
  await views(page).getByRole("button", { name: "Design" }).click();
  await says(design(page), "7 of 9 served well");
}

test("an entity is made from nothing, and the live check complains until its keys are right", onPage(async (page) => {
  await open(page);
  await button(page, "Add an entity").click();
  await says(dialog(page), "New entity");
  await page.keyboard.type("Visit");
  await field(dialog(page), "PK").fill("ORG#{org}");
  await says(dialog(page), "Visit has no template for SK");
  await field(dialog(page), "SK").fill("VISIT#{n}");
  await field(dialog(page), "n").fill("7");
  await says(dialog(page), "10 comes before 9");
  await field(dialog(page), "SK").fill("VISIT#{n:06}");
  await field(dialog(page), "org").fill("1234");
  await says(dialog(page), "SK = VISIT#000007", "Nothing is wrong with these templates.");
  await page.keyboard.press("Control+Enter");
  await eventually(page, async () => assert.equal(await dialog(page).count(), 0));
  await says(outline(page), "Visit");
  await says(design(page), "VISIT#");
  await button(page, "Undo").click();
  await eventually(page, async () => assert.ok(!(await words(outline(page))).includes("Visit")));
}));

test("what was typed is there again after Esc, until it is discarded", onPage(async (page) => {
  await open(page);
  await button(page, "Add an entity").click();
  await page.keyboard.type("Half");
  await page.keyboard.press("Escape");
  await eventually(page, async () => assert.equal(await dialog(page).count(), 0));
  await button(page, "Add an entity, go on with the draft").click();
  assert.equal(await field(dialog(page), "Name").inputValue(), "Half");
  await button(dialog(page), "Discard").click();
  await says(dialog(page), "Discard what was typed?");
  await button(dialog(page), "Discard it").click();
  await button(page, "Add an entity").click();
  assert.equal(await field(dialog(page), "Name").inputValue(), "");
}));

test("an index is tried while it is typed, applied and taken back", onPage(async (page) => {
  await open(page);
  await button(design(page), "Index").click();
  await field(form(page), "Name").fill("nameIndex");
  await field(form(page), "Partition key").selectOption("name");
  await says(draft(page), "nameIndex would serve pattern 7 with 0.5 RCU, not a Scan of 4.");
  await says(design(page), "8 of 9 served well with the draft, 7 without.", "was Scan", "was 4 RCU");
  assert.ok(!(await words(outline(page))).includes("nameIndex"));
  await button(draft(page), "Apply index").click();
  await says(outline(page), "nameIndex");
  await says(page.locator(".notice-panel"), "it was CREATING while 24 of 24 items were filled into it, and is ACTIVE now.");
  await says(design(page), "8 of 9 served well");
  await button(page, "Undo").click();
  await says(design(page), "7 of 9 served well");
}));

test("a name that another index has is refused at its field, which keeps what was typed", onPage(async (page) => {
  await open(page);
  await button(design(page), "Index").click();
  await field(form(page), "Name").fill("GSI1");
  await page.keyboard.press("Control+Enter");
  const name = field(form(page), "Name");
  await says(form(page), "OrgDirectory has an index called GSI1 already. Choose another name.");
  assert.equal(await name.getAttribute("aria-invalid"), "true");
  assert.equal(await name.inputValue(), "GSI1");
}));

test("another key is rebuilt when somebody says so, and undo brings the old data back", onPage(async (page) => {
  await open(page);
  await page.getByRole("columnheader", { name: "OrgDirectory" }).getByRole("button").click();
  await field(dialog(page), "Sort key").fill("name");
  await says(dialog(page), "A table keeps the key it was made with.");
  await button(dialog(page), "Save table").click();
  await says(design(page), "The design gives OrgDirectory another key.");
  await page.getByRole("button", { name: /^Rebuild/ }).click();
  await eventually(page, async () => assert.equal(await page.getByRole("button", { name: /^Rebuild/ }).count(), 0));
  await button(page, "Undo").click();
  await page.getByRole("button", { name: /^Rebuild/ }).waitFor();
  await says(outline(page), "OrgDirectory 24");
}));

test("a pattern is made by fields and keyboard, states a test, and is edited, moved and removed", onPage(async (page) => {
  await open(page);
  await button(page, "Add an access pattern").click();
  await page.keyboard.type("Employees of an organisation");
  await field(dialog(page), "PK =").fill("ORG#1234");
  await field(dialog(page), "SK").selectOption("begins_with");
  await field(dialog(page), "Value").fill("EMPLOYEE#");
  await field(dialog(page), "Items expected").fill("99");
  await page.keyboard.press("Control+Enter");
  await says(design(page), "of 10 served well", "test failed");
  await design(page).getByRole("button", { name: "Employees of an organisation" }).click();
  const opened = page.getByRole("region", { name: "Access pattern", exact: true });
  await button(opened, "Move up").click();
  await says(opened, "9. Employees of an organisation");
  await button(opened, "Edit").click();
  assert.equal(await field(dialog(page), "PK =").inputValue(), "ORG#1234");
  await field(dialog(page), "PK =").fill("");
  await button(dialog(page), "Save pattern").click();
  await says(dialog(page), "PK needs a value.");
  await button(dialog(page), "Remove pattern").click();
  await says(design(page), "7 of 9 served well");
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in the forms, ${size}, ${colorScheme}`, onPage(async (page) => {
      await open(page);
      const forms = [
        () => button(page, "Entity").click(),
        () => button(page, "Access pattern").click(),
        () => page.getByRole("columnheader", { name: "OrgDirectory" }).getByRole("button").click(),
      ];
      for (const show of forms) {
        await show();
        await dialog(page).waitFor();
        assert.deepEqual(await axe(page), []);
        await page.keyboard.press("Escape");
      }
      await button(design(page), "Index").click();
      await field(form(page), "Name").fill("nameIndex");
      await field(form(page), "Partition key").selectOption("name");
      await form(page).waitFor();
      assert.deepEqual(await axe(page), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(overflow, 0);
    }, { viewport, colorScheme }));
  }
}
