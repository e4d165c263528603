// PartiQL statements and transactions: what the page says they did, and why one was cancelled.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import { capacity, eventually, grid, operation, outline, paste, ready, result, run, says } from "./parts.mjs";

const ON_HOLD = `{"Statement": "SELECT * FROM \\"OrgDirectory\\" WHERE \\"status\\" = 'ON_HOLD'", "Limit": 10}`;
const CANCELLED = `{"TransactItems": [
  {"Put": {"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-10"}}}},
  {"ConditionCheck": {"TableName": "OrgDirectory", "Key": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-07"}},
    "ConditionExpression": "attribute_not_exists(PK)"}}
]}`;

test("a statement says which operation it became, lights what it read, and reads on", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("ExecuteStatement");
  await run(page);
  await says(page.getByRole("main"), "This SELECT names the partition key, so it was a Query.");
  await says(capacity(page), "RCU");
  await eventually(page, async () => assert.ok((await grid(page).locator("[data-read]").count()) > 0));
  await paste(page, ON_HOLD);
  await run(page);
  await says(page.getByRole("main"), "read 10 items", "names no partition key, so it was a Scan.");
  await says(result(page), "NextToken says there may be more.");
  await result(page).getByRole("button", { name: "Next page" }).click();
  await eventually(page, async () => assert.equal(await grid(page).locator("[data-read]").count(), 20));
}));

test("a cancelled transaction gives each element its reason and changes nothing", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("TransactWriteItems");
  await paste(page, CANCELLED);
  await run(page);
  await says(
    result(page),
    "TransactionCanceledException",
    "1 · Put of ORG#1234 / PROJECT#p-10 in OrgDirectory: nothing is wrong with it.",
    "2 · ConditionCheck of ORG#1234 / PROJECT#p-07 in OrgDirectory: its condition is false",
  );
  await says(page.getByRole("main"), "was cancelled as a whole: 1 of its 2 elements was refused.");
  await says(capacity(page), "WCU");
  await says(outline(page), "OrgDirectory 24 items");
}));
