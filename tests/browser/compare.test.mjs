// The design beside another: what differs, what it makes of patterns, bills, sizes and heat.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, onPage, viewports } from "./harness.mjs";
import { chooseFile, dialog, eventually, ready, says, words } from "./parts.mjs";

const views = (page) => page.getByRole("group", { name: "View" });
const compare = (page) => page.getByRole("region", { name: "Compare", exact: true });
const part = (page, name) => compare(page).getByRole("region", { name, exact: true });
const rival = (page) => compare(page).getByRole("combobox", { name: "Compare with" });
const verdict = (page) => compare(page).getByRole("status");
const show = (page, name) => views(page).getByRole("button", { name, exact: true }).click();

/** Opens the comparison and waits until B has been asked everything. */
async function open(page) {
  await ready(page);
  await show(page, "Compare");
  await says(verdict(page), "a month");
}

test("the scan-based copy shows what keys and indexes are for, verdict and differences first", onPage(async (page) => {
  await open(page);
  await says(verdict(page), "B costs $373.18 less a month", "3 of 9 patterns are served well, against 7");
  await says(part(page, "Differences"), "OrgDirectory, keys PK, SK id", "Index GSI1 SK, PK · ALL");
  await says(part(page, "Access patterns"), "Organisation's projects", "3 RCU", "4 RCU", "+$13.14");
  await says(part(page, "A month"), "$1,168.87", "$795.69");
  await says(part(page, "Item sizes"), "24 items, 28.9 KB");
  await says(part(page, "Hottest keys"), "SensorEvents, writes");
}));

test("a copy kept before a change shows the change, takes its place again and can be undone", onPage(async (page) => {
  await open(page);
  await show(page, "Design");
  await page.getByRole("button", { name: "Find a project by name", exact: true }).click();
  const opened = page.getByRole("region", { name: "Access pattern", exact: true });
  await opened.getByRole("button", { name: "Add the index byName" }).click();
  await show(page, "Compare");
  await rival(page).selectOption({ label: "Copy 1 of Factory floor" });
  await says(part(page, "Differences"), "2 differences", "Index byName");
  await says(part(page, "Access patterns"), "Find a project by name");
  await compare(page).getByRole("button", { name: "Keep B" }).click();
  await says(verdict(page), "Both cost the same.");
  await says(part(page, "Differences"), "No difference in the design");
  await page.getByRole("button", { name: "Undo" }).click();
  await says(part(page, "Differences"), "2 differences");
  await compare(page).getByRole("button", { name: "Discard B" }).click();
  await eventually(page, async () => assert.equal(await rival(page).inputValue(), "scan"));
  assert.equal(await rival(page).getByRole("option", { name: "Copy 1" }).count(), 0);
}));

test("modelled relationally, a page of one collection becomes joins in the client", onPage(async (page) => {
  await open(page);
  await rival(page).selectOption({ label: "Modelled relationally" });
  await says(verdict(page), "the client joins");
  assert.equal(await compare(page).getByRole("button", { name: "Keep B" }).count(), 0);
  await rival(page).selectOption({ label: "Example: File versions" });
  await says(part(page, "Access patterns"), "not asked");
}));

test("the whole sample held many times makes Scans dear, as a table and as Markdown too", onPage(async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  await compare(page).getByRole("textbox", { name: "Sample ×" }).fill("1000");
  await page.keyboard.press("Enter");
  await says(verdict(page), "times as much");
  await compare(page).getByRole("button", { name: "Table" }).click();
  await says(part(page, "A month"), "writes to indexes", "storage and the rest");
  await compare(page).getByRole("button", { name: "Copy as Markdown" }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, /\| Access pattern \| A, a call \| B, a call \|/);
  assert.match(text, /B is Scan-based copy/);
}));

test("while B is made ready the page lives, and making it can be stopped and gone on with", onPage(async (page) => {
  await ready(page);
  await show(page, "Compare");
  await compare(page).waitFor();
  // Whether Stop is reached before the small sample is done is up to the machine; both ends are right.
  const stop = compare(page).getByRole("button", { name: "Stop" });
  if (await stop.click({ timeout: 500 }).then(() => true, () => false)) {
    await says(verdict(page), "Stopped before B was ready.");
    await compare(page).getByRole("button", { name: "Go on" }).click();
  }
  await says(verdict(page), "a month");
  assert.ok((await words(compare(page))).includes("Item sizes"));
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in the comparison, ${size}, ${colorScheme}`, onPage(async (page) => {
      await open(page);
      assert.deepEqual(await axe(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    }, { viewport, colorScheme }));
  }
}

const ownModel = fileURLToPath(new URL("../../crates/hashrange-design/tests/models/facets_as_patterns.json", import.meta.url));
const onlineShop = fileURLToPath(
  new URL("../../../shared/models/aws-samples__amazon-dynamodb-design-patterns/AnOnlineShop_facets.json", import.meta.url),
);

/** Imports a model by the page's own import, then reads both bills in the comparison. */
async function importAndCompare(page, file, suggested, bills) {
  await ready(page);
  await chooseFile(page, file);
  await says(dialog(page), `${suggested} access patterns are suggested`);
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await show(page, "Design");
  await says(page.locator("section.design-panel"), `${suggested} of ${suggested} served well`);
  await show(page, "Compare");
  await says(verdict(page), "a month");
  await says(part(page, "A month"), ...bills);
}

test("a model of facets imports with its patterns, and scanning shows on the bill", onPage(async (page) => {
  await importAndCompare(page, ownModel, 5, ["A", "$0.82", "B", "$1.81"]);
  await says(part(page, "Access patterns"), "loan: all of one PK");
}));

test(
  "AnOnlineShop_facets imports with its patterns, and scanning shows on the bill",
  { skip: existsSync(onlineShop) ? false : `there is no ${onlineShop}` },
  onPage(async (page) => {
    await importAndCompare(page, onlineShop, 24, ["A", "$3.94", "B", "$11.33"]);
    await says(part(page, "Access patterns"), "orderItem: all of one PK", "invoice: by GSI1-PK in GSI1");
  }),
);
