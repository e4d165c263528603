// Files from outside: a report before anything changes, and one clear sentence for what is no model.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { onPage } from "./harness.mjs";
import {
  capacity, chooseFile, chooseInDialog, dialog, drop, eventually, file, grid, history, items, model, oneTable,
  operation, outline, ready, result, run, says, tab, target, words,
} from "./parts.mjs";

/** A published model of five tables' worth of entities and two indexes; not part of the repository. */
const ONLINE_SHOP = fileURLToPath(new URL(
  "../../../shared/models/aws-samples__amazon-dynamodb-design-patterns/AnOnlineShop_14.json", import.meta.url));

test("a model's report is shown before anything changes, and cancelling leaves everything as it was", onPage(async (page) => {
  await ready(page);
  await chooseFile(page, file("odd_values.json", await model("odd_values.json")));
  await says(dialog(page), "Import odd_values.json", "Odd", "1 table, 0 indexes, 2 items", "places were repaired");
  const repairs = dialog(page).getByRole("table", { name: "Repair report" }).getByRole("row");
  assert.ok(await repairs.count() > 5, "the odd values are not reported");
  await says(outline(page), "OrgDirectory 24 items");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await says(outline(page), "OrgDirectory 24 items", "SensorEvents");
  await says(history(page), "1 request");
  await says(capacity(page), "3.5 RCU");
}));

test("an imported model opens with its tables and items, and the work before it can be brought back", onPage(async (page) => {
  await ready(page);
  await chooseFile(page, file("data_in_facets.json", await model("data_in_facets.json")));
  await says(dialog(page), "1 table, 0 indexes, 3 items");
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await says(outline(page), "Club 3 items");
  await says(grid(page), "MEMBER#1", "VISIT#2026-01-03", "Ann");
  await page.getByRole("button", { name: "Go back to Factory floor" }).click();
  await says(outline(page), "OrgDirectory 24 items");
  await says(capacity(page), "3.5 RCU");
}));

test("a file dropped anywhere on the page shows its report", onPage(async (page) => {
  await ready(page);
  await drop(page, "Club.json", await model("data_in_facets.json"));
  await says(dialog(page), "Import Club.json", "1 table, 0 indexes, 3 items");
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await says(outline(page), "Club 3 items");
}));

test("every small model of ours is read with a report", onPage(async (page) => {
  await ready(page);
  const names = ["bad_names", "bare", "byte_order_mark", "included_keys", "local_in_disguise", "old_version",
    "one_table_schema", "plain_and_wrapped_maps", "provisioned", "twice_the_same_key", "unknown_members",
    "wrong_key_types"];
  for (const name of names) {
    await chooseFile(page, file(`${name}.json`, await model(`${name}.json`)));
    await dialog(page).getByRole("button", { name: "Open" }).click();
    await dialog(page).waitFor({ state: "detached" });
  }
}));

test("what is no model is refused in one clear sentence, and another file can be chosen at once", onPage(async (page) => {
  const whole = await model("odd_values.json");
  const refused = [
    ["truncated.json", whole.slice(0, 700), /truncated\.json cannot be imported\. .{10,}/],
    ["empty.json", "", /empty\.json cannot be imported\. The file is empty\./],
    ["foreign.json", { hello: [1, 2] }, /foreign\.json cannot be imported\. It is JSON, but neither/],
    ["list.json", "[]", /list\.json cannot be imported\. It is JSON, but neither/],
    ["deep.json", "[".repeat(200_000), /deep\.json cannot be imported\. .{10,}/],
    ["picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0]), /picture\.png cannot be imported\. It is not a text/],
  ];
  await ready(page);
  await page.getByRole("button", { name: "Import a file" }).click();
  for (const [name, content, sentence] of refused) {
    const chosen = Buffer.isBuffer(content)
      ? { name, mimeType: "image/png", buffer: content } : file(name, content);
    await chooseInDialog(page, chosen);
    const alert = dialog(page).getByRole("alert").filter({ hasText: name });
    await says(alert, "This file cannot be imported");
    const text = await words(alert);
    assert.match(text, sentence);
    assert.ok(text.length < 400, `${name} is refused at length: ${text}`);
    assert.equal(await dialog(page).getByRole("button", { name: "Open" }).count(), 0);
  }
  await page.keyboard.press("Escape");
  await says(outline(page), "OrgDirectory 24 items");
}));

test("a file of 100 MB is refused by its size without being read", onPage(async (page) => {
  await ready(page);
  const folder = await mkdtemp(join(tmpdir(), "hashrange-"));
  try {
    const path = join(folder, "huge.json");
    const huge = await open(path, "w");
    await huge.truncate(100 * 1024 * 1024 + 1);
    await huge.close();
    await chooseFile(page, path);
    await says(dialog(page), "This file cannot be imported", "The file has 100 MB", "it was not read");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await says(outline(page), "OrgDirectory 24 items");
  } finally {
    await rm(folder, { recursive: true });
  }
}));

test("markup in titles, names, keys and values of a file stays text everywhere", onPage(async (page) => {
  const markup = "<img src=x onerror=\"globalThis.wasRun = true\">";
  const data = [{
    id: { S: markup },
    [markup]: { S: "under its name" },
    note: { S: `${markup}<script>globalThis.wasRun = true</script>` },
    list: { L: [{ S: markup }] },
  }];
  await ready(page);
  const evil = oneTable(markup, data, { ModelName: markup });
  await chooseFile(page, file(`${markup.replaceAll('"', "'")}.json`, evil));
  await says(dialog(page), "1 table, 0 indexes, 1 item");
  await dialog(page).getByRole("button", { name: "Open" }).click();
  await says(grid(page), markup);
  await operation(page).selectOption("Scan");
  await run(page);
  await says(result(page), markup);
  await result(page).getByRole("button", { name: "JSON" }).click();
  await says(result(page), "globalThis.wasRun");
  assert.equal(await page.locator("img, iframe, script:not([src])").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.wasRun), undefined);
}));

test("a published model is imported, and a Query on its index says what it cost", async (t) => {
  if (!existsSync(ONLINE_SHOP)) {
    t.skip("../shared/models is not here, so there is no AnOnlineShop_14.json to import");
    return;
  }
  const shop = await readFile(ONLINE_SHOP);
  await onPage(async (page) => {
    await ready(page);
    await chooseFile(page, { name: "AnOnlineShop_14.json", mimeType: "application/json", buffer: shop });
    await says(dialog(page), "table", "items");
    await dialog(page).getByRole("button", { name: "Open" }).click();
    await says(page.getByRole("banner"), "AnOnlineShop");
    const labels = await target(page).getByRole("option").allTextContents();
    const index = labels.find((label) => !label.endsWith("base table"));
    assert.ok(index, `no index among ${labels}`);
    await operation(page).selectOption("Query");
    await target(page).selectOption({ label: index });
    await run(page);
    await says(capacity(page), "RCU", "Read ");
    assert.match(await words(capacity(page)), /\d(\.\d)? RCU eventually consistent/);
    const name = index.split(", ")[1];
    await eventually(page, async () =>
      assert.equal(await tab(page, name).getAttribute("aria-selected"), "true"));
    assert.ok(await grid(page).locator("[data-read=returned]").count() > 0, "nothing is lit");
    assert.ok(await items(page).count() > 0);
  })(t);
});
