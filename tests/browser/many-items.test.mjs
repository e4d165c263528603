// Tables of many items: only the rows in view exist, wherever the picture is scrolled to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import {
  chooseFile, dialog, eventually, file, grid, history, items, oneTable, operation, outline, paste, ready, result, run, says,
} from "./parts.mjs";

const N_ITEMS = 10_000;

async function openMany(page) {
  await ready(page);
  const data = Array.from({ length: N_ITEMS }, (_, at) => ({ id: { S: `item-${at}` }, at: { N: String(at) } }));
  await chooseFile(page, file("many.json", oneTable("Many", data)));
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await says(outline(page), `Many ${N_ITEMS} items`);
  await items(page).first().waitFor();
}

/** Asserts that rows or partition cells cover the picture from its head to its end, without a gap. */
async function isFilled(page) {
  await eventually(page, async () => {
    const gap = await grid(page).evaluate((grid) => {
      const view = grid.getBoundingClientRect();
      const rows = [...grid.querySelectorAll(".row")].map((row) => row.getBoundingClientRect())
        .filter((box) => box.bottom > view.top && box.top < view.bottom).sort((a, b) => a.top - b.top);
      if (rows.length === 0) return "there are no rows";
      if (rows[0].top > view.top + 30) return `nothing above ${rows[0].top}`;
      const last = rows.at(-1).bottom;
      const canEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
      if (!canEnd && last < view.bottom - 1) return `nothing below ${last} of ${view.bottom}`;
      const hole = rows.slice(1).find((row, at) => row.top > rows[at].bottom + 1);
      return hole ? `a hole above ${hole.top}` : "";
    });
    assert.equal(gap, "");
  });
}

test("of ten thousand items only those in view exist, and the wheel brings the others", onPage(async (page) => {
  await openMany(page);
  await grid(page).hover();
  for (const turn of [300, 3_000, 50_000, 120_000, -90_000, -400]) {
    await page.mouse.wheel(0, turn);
    await isFilled(page);
    const drawn = await items(page).count();
    assert.ok(drawn < 100, `${drawn} items exist`);
  }
}));

test("the first and the last of ten thousand items are one key away", onPage(async (page) => {
  await openMany(page);
  const rowOfCursor = async () => items(page)
    .filter({ has: page.locator(`[id="${await grid(page).getAttribute("aria-activedescendant")}"]`) });
  await grid(page).focus();
  await page.keyboard.press("Control+End");
  await isFilled(page);
  await eventually(page, async () => assert.ok(await (await rowOfCursor()).isVisible()));
  await page.keyboard.press("Control+Home");
  await isFilled(page);
  await eventually(page, async () => assert.ok(await (await rowOfCursor()).isVisible()));
}));

test("the picture stays filled when the history is closed and the window grows", onPage(async (page) => {
  await openMany(page);
  await grid(page).hover();
  await page.mouse.wheel(0, 20_000);
  await isFilled(page);
  await history(page).getByRole("button", { name: "Show or hide the history" }).click();
  await isFilled(page);
  await page.setViewportSize({ width: 1440, height: 1400 });
  await isFilled(page);
}));

test("a Scan of ten thousand items lights them and stays quick to look at", onPage(async (page) => {
  await openMany(page);
  await operation(page).selectOption("Scan");
  await paste(page, '{"TableName": "Many", "FilterExpression": "#at < :ten", "ExpressionAttributeNames": {"#at": "at"}, "ExpressionAttributeValues": {":ten": {"N": "10"}}}');
  await run(page);
  await says(result(page), "10 items");
  await eventually(page, async () => assert.ok(await grid(page).locator("[data-read]").count() > 0));
  assert.ok(await items(page).count() < 100);
}));
