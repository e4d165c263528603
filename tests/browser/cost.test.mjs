// The bill: what it counts, as sliders, fields and prices of one's own, and on paper.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { ready, says } from "./parts.mjs";

const bill = (page) => page.getByRole("region", { name: "Cost", exact: true });
const counts = (page) => page.getByRole("region", { name: "What the bill counts" });

async function open(page) {
  await ready(page);
  await page.getByRole("group", { name: "View" }).getByRole("button", { name: "Cost" }).click();
  await says(bill(page), "a month on demand");
}

test("peak and use of it slide together, and every index has its line", onPage(async (page) => {
  await open(page);
  await says(counts(page), "Peak ÷ average 2×", "Average use of the peak 50 %", "Auto scaling aims at 70 %");
  await counts(page).getByRole("slider", { name: "Average use of the peak" }).fill("20");
  await says(counts(page), "Peak ÷ average 5×");
  await says(bill(page).getByRole("region", { name: "By index" }), "SensorEvents.bySensor", "$509.18");
  await page.getByText("Prices", { exact: true }).last().click();
  await says(page.getByRole("region", { name: "Prices", exact: true }), "List prices as of");
}));

test("on paper the bill is whole and alone", onPage(async (page) => {
  await open(page);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("banner").isVisible(), false);
  assert.equal(await counts(page).isVisible(), false);
  const isWhole = await bill(page).locator(".body").evaluate((body) => body.scrollHeight <= body.clientHeight + 1);
  assert.ok(isWhole, "nothing of the bill is scrolled away");
  const height = await page.evaluate(() => document.querySelector(".app").getBoundingClientRect().height);
  assert.ok(height > viewports.desktop.height, `${height}`);
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in the bill, ${size}, ${colorScheme}`, onPage(async (page) => {
      await open(page);
      assert.deepEqual(await axe(page), []);
    }, { viewport, colorScheme }));
  }
}
