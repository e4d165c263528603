// What is wrong with a request: marked at its exact place, in DynamoDB's words, with nothing lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage } from "./harness.mjs";
import {
  countRequests, editor, eventually, grid, history, marked, operation, outline, paste, problem, ready, request,
  result, run, runButton, says, type, words,
} from "./parts.mjs";

/** Caret and selection of the editor. */
const selection = (page) =>
  editor(page).evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
const caret = (page) => editor(page).evaluate((field) => field.selectionStart);

/** Types each text and asserts which part of it is marked and what is said about it. */
async function marks(page, cases) {
  for (const [text, part, ...sentences] of cases) {
    await paste(page, text);
    await eventually(page, async () => assert.equal((await marked(page).allTextContents()).join(""), part, text));
    await says(problem(page), ...sentences);
    assert.equal(await editor(page).getAttribute("aria-invalid"), "true");
  }
}

test("broken JSON is marked where it breaks while it is typed, and the mark goes when it is mended", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("GetItem");
  await type(page, '{"TableName": oops}');
  await eventually(page, async () => assert.match((await marked(page).allTextContents()).join(""), /^oops?|^o/));
  await says(problem(page), "Line 1, column 15.");
  assert.equal(await editor(page).getAttribute("aria-invalid"), "true");
  await type(page, '{"TableName": "OrgDirectory", "Key": {"PK": {"S": "ORG#1234"}, "SK": {"S": "ORG#1234"}}}');
  await eventually(page, async () => assert.equal(await editor(page).getAttribute("aria-invalid"), "false"));
  assert.equal(await marked(page).count(), 0);
  assert.ok(!(await problem(page).isVisible()));
}));

test("F8 moves the caret to the error, and so does its button", onPage(async (page) => {
  await ready(page);
  const text = '{\n  "TableName": "OrgDirectory",\n  "Limit": 1,,\n}';
  await paste(page, text);
  await says(problem(page), "Line 3");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F8");
  await eventually(page, async () => assert.equal(await caret(page), text.indexOf(",,") + 1));
  await page.keyboard.press("Control+Home");
  await request(page).getByRole("button", { name: "Show" }).click();
  await eventually(page, async () => assert.equal(await caret(page), text.indexOf(",,") + 1));
  assert.ok(await editor(page).evaluate((field) => field === document.activeElement), "the editor lost the focus");
}));

test("an error in an expression is marked at its token, in DynamoDB's own words", onPage(async (page) => {
  const query = (condition, more = "") =>
    `{"TableName": "OrgDirectory", "KeyConditionExpression": "${condition}"${more}, "ExpressionAttributeValues": {":org": {"S": "ORG#1234"}}}`;
  await ready(page);
  await marks(page, [
    [query("PK = = :org"), "=", 'Invalid KeyConditionExpression: Syntax error; token: "=", near: "= = :org"'],
    [query("PK = :org", ', "FilterExpression": "budget >> :org"'), ">",
      'Invalid FilterExpression: Syntax error; token: ">", near: ">> :org"'],
    [query("PK = :organisation"), ":organisation",
      "An expression attribute value used in expression is not defined; attribute value: :organisation"],
  ]);
}));

test("a refused request says DynamoDB's error, marks its place, and loses nothing", onPage(async (page) => {
  await ready(page);
  const text = '{"TableName": "OrgDirectory", "KeyConditionExpression": "PK = = :org", "ExpressionAttributeValues": {":org": {"S": "ORG#1234"}}}';
  await type(page, text);
  await run(page);
  await says(result(page), "refused", "ValidationException", 'Syntax error; token: "=", near: "= = :org"',
    "The expression cannot be understood at the marked place.");
  await says(history(page), "ValidationException");
  assert.equal(await editor(page).inputValue(), text);
  await eventually(page, async () => assert.deepEqual(await marked(page).allTextContents(), ["="]));
  await page.keyboard.press("F8");
  await editor(page).focus();
  await page.keyboard.press("F8");
  await eventually(page, async () => assert.equal(await caret(page), text.indexOf("= = :org") + 2));
  assert.equal(await selection(page), "=");
}));

test("members of the wrong JSON type are refused as DynamoDB refuses them", onPage(async (page) => {
  await ready(page);
  const wrong = [
    ["Scan", '{"TableName": "OrgDirectory", "Limit": "five"}', "STRING_VALUE cannot be converted to Integer"],
    ["GetItem", '{"TableName": ["OrgDirectory"], "Key": {}}', "SerializationException"],
    ["GetItem", '{"TableName": "OrgDirectory", "Key": "PK"}', "SerializationException"],
    ["GetItem", '{"TableName": "OrgDirectory", "Key": {"PK": {"N": 1}, "SK": {"S": "a"}}}',
      "NUMBER_VALUE cannot be converted to String"],
  ];
  for (const [name, text, sentence] of wrong) {
    await operation(page).selectOption(name);
    await paste(page, text);
    await run(page);
    await says(result(page), "SerializationException", sentence);
  }
}));

test("no text that is not a request stops the page", onPage(async (page) => {
  await ready(page);
  const texts = ["", " ", "{", "}", "[]", "null", "0", '"', "{}", '{"TableName":', "\u0000", "\ud83d\ude00\ud83d\ude00{", "<img src=x onerror=alert(1)>",
    '{"TableName": "No such table"}', '{"TableName": "Nowhere"}'];
  for (const text of texts) {
    await paste(page, text || " ");
    await run(page);
    await says(result(page), "refused");
  }
  assert.equal(await page.locator("img").count(), 0);
  await says(outline(page), "OrgDirectory 24 items");
}));

test("JSON nested a hundred thousand levels deep is refused, and the page goes on", onPage(async (page) => {
  await ready(page);
  await paste(page, `{"TableName": "OrgDirectory", "Key": ${"[".repeat(100_000)}`);
  await run(page);
  await says(result(page), "refused");
  await operation(page).selectOption("PutItem");
  const levels = 60;
  await paste(page, `{"TableName": "OrgDirectory", "Item": {"PK": {"S": "a"}, "SK": {"S": "b"}, "deep": ${'{"L": ['.repeat(levels)}{"S": "x"}${"]}".repeat(levels)}}}`);
  await run(page);
  await says(result(page), "ValidationException", "Nesting Levels have exceeded supported limits");
}));

test("a text of 1 MB is refused with its size, and typing goes on after it", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("PutItem");
  const text = `{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "BIG"}, "note": {"S": "${"x".repeat(1024 * 1024)}"}}}`;
  await paste(page, text);
  await run(page);
  await says(result(page), "ValidationException", "Item size has exceeded the maximum allowed size");
  assert.equal((await editor(page).inputValue()).length, text.length);
  await type(page, '{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "SMALL"}}}');
  await run(page);
  await says(outline(page), "OrgDirectory 25 items");
}));

test("a failed condition shows the item that is there and says it still costs", onPage(async (page) => {
  await ready(page);
  await operation(page).selectOption("PutItem");
  await paste(page, '{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "ORG#1234"}}, "ConditionExpression": "attribute_not_exists(PK)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}');
  await runButton(page).click();
  await says(result(page), "ConditionalCheckFailedException", "The conditional request failed", "Fenwick Robotics",
    "still paid for");
  assert.equal(await countRequests(page), 2);
  assert.match(await words(grid(page)), /Fenwick Robotics/);
}));
