// The picture of an index: which item goes where with what, what stays out, what writing it costs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { outline, ready, says } from "./parts.mjs";

const links = (page) => page.getByRole("region", { name: "Index picture" });
const views = (page) => page.getByRole("group", { name: "View" });

test("from the outline, a sparse index shows who is left out and what is dropped", onPage(async (page) => {
  await ready(page);
  await outline(page).getByRole("button", { name: "Picture of isOnHold" }).click();
  await says(links(page), "Index isOnHold receives 3 of 24 items; 21 have no isOnHold.", "stay in the table");
  assert.equal(await links(page).locator("path.link").count(), 3);
  assert.ok((await links(page).locator(".is-dropped").count()) > 0);
  await says(links(page).getByRole("region", { name: "Each write" }), "Change an index key 2", "Write an item without the key 0 +0");
  await links(page).getByRole("button", { name: "Table" }).click();
  await says(links(page).getByRole("table", { name: "Index isOnHold receives" }), "not in the index: no isOnHold");
}));

test("from the chart's column, an inverted index shows its crossing links", onPage(async (page) => {
  await ready(page);
  await views(page).getByRole("button", { name: "Design" }).click();
  await page.getByRole("columnheader", { name: "GSI1" }).getByRole("button", { name: "GSI1", exact: true }).click();
  await says(links(page), "Index GSI1 receives all 24 items.", "Inverted:", "Overloaded:");
  assert.equal(await links(page).locator("path.link").count(), 24);
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in the picture of an index, ${size}, ${colorScheme}`, onPage(async (page) => {
      await ready(page);
      await views(page).getByRole("button", { name: "Index" }).click();
      // Of a table, its first index is shown.
      await says(links(page), "Index GSI1 receives all 24 items.");
      assert.deepEqual(await axe(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    }, { viewport, colorScheme }));
  }
}
