// What shuts people out: axe's serious and critical findings, of which no screen may have any.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import {
  chooseFile, dialog, file, marked, model, operation, outline, paste, ready, result, run, says,
} from "./parts.mjs";

const phone = { viewport: viewports.phone };
const pane = (page, name) => page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
const isOpenToAll = async (page) => assert.deepEqual(await axe(page), []);

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious on the first visit, ${colorScheme}`, onPage(async (page) => {
    await ready(page);
    await isOpenToAll(page);
  }, { colorScheme }));

  test(`axe finds nothing serious in the dialogs, ${colorScheme}`, onPage(async (page) => {
    await ready(page);
    for (const [opener, title] of [["Help and keyboard", "Help"], ["About Hashrange", "About Hashrange"]]) {
      await page.getByRole("button", { name: opener }).click();
      await page.getByRole("dialog", { name: title }).waitFor();
      await isOpenToAll(page);
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "Import a file" }).click();
    await isOpenToAll(page);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await chooseFile(page, file("odd_values.json", await model("odd_values.json")));
    await says(dialog(page), "places were repaired");
    await isOpenToAll(page);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await chooseFile(page, file("empty.json", ""));
    await says(dialog(page), "This file cannot be imported");
    await isOpenToAll(page);
  }, { colorScheme }));

  test(`axe finds nothing serious in an error state, ${colorScheme}`, onPage(async (page) => {
    await ready(page);
    await paste(page, '{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = = :o", "ExpressionAttributeValues": {":o": {"S": "a"}}}');
    await run(page);
    await says(result(page), "ValidationException");
    await marked(page).first().waitFor();
    await isOpenToAll(page);
  }, { colorScheme }));

  test(`axe finds nothing serious on any pane of a phone, ${colorScheme}`, onPage(async (page) => {
    await ready(page);
    for (const name of ["Data", "Run", "Result"]) {
      await pane(page, name).click();
      await isOpenToAll(page);
      }
    await page.getByRole("button", { name: "Tables and access patterns" }).click();
    await isOpenToAll(page);
  }, { ...phone, colorScheme }));
}

test("axe finds nothing serious after a write and beside a put-aside example", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("PutItem");
  await run(page);
  await isOpenToAll(page);
  await page.getByRole("combobox", { name: "Examples" }).selectOption({ label: "File versions" });
  await page.getByRole("button", { name: "Go back to Factory floor" }).waitFor();
  await isOpenToAll(page);
}));

test("axe finds nothing serious in an empty table", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("CreateTable");
  await run(page);
  await outline(page).getByRole("button", { name: "Orders" }).click();
  await says(page.getByRole("main"), "No items yet");
  await isOpenToAll(page);
}));
