// The guided process: the first article's design from nothing to its eight patterns, and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { eventually, outline, ready, says, words } from "./parts.mjs";

const guide = (page) => page.getByRole("region", { name: "Guided design" });
const step = (page, name) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: new RegExp(name) });
const offers = (page) => page.getByRole("list", { name: "Questions to ask" });

const ENTITIES = [
  ["Organisation", "org, plan", "3"],
  ["Project", "project, name, isOnHold", "36"],
  ["Employee", "employee, name, title", "120"],
];
const LINES = [
  ["Organisation", "1 to n", "Project"],
  ["Organisation", "1 to n", "Employee"],
  ["Project", "n to m", "Employee"],
];
/** The article's patterns, as the process words them. */
const QUESTIONS = [
  "Get an organisation",
  "Projects of an organisation",
  "Everything under an organisation",
  "Projects of an organisation on hold",
  "Employees of a project",
  "Projects of an employee",
  "Projects of an organisation by name",
  "Change a project",
];

/** Opens an empty design in the guided process. */
async function begin(page) {
  await ready(page);
  await outline(page).getByRole("button", { name: "Guided, 5 steps" }).click();
  await guide(page).waitFor();
  await guide(page).getByRole("button", { name: "Start empty" }).click();
  await says(guide(page), "Name the things first.");
}

async function nameThings(page) {
  const form = page.getByRole("form", { name: "Entity" });
  for (const [name, line, total] of ENTITIES) {
    await form.getByLabel("Name", { exact: true }).fill(name);
    await form.getByLabel("Attributes").fill(line);
    await form.getByLabel("How many").fill(total);
    await form.getByRole("button", { name: "Add an entity" }).click();
    await says(page.getByRole("list", { name: "Entities" }), name);
  }
}

async function relate(page) {
  await step(page, "Relations").click();
  const form = page.getByRole("form", { name: "Relation" });
  for (const [from, kind, to] of LINES) {
    await form.getByLabel("One", { exact: true }).selectOption(from);
    await form.getByLabel("Kind").selectOption(kind);
    await form.getByLabel("Many", { exact: true }).selectOption(to);
    await form.getByRole("button", { name: "Relate" }).click();
    await says(guide(page).getByRole("table", { name: "Relations" }), `${from}, ${to}`);
  }
  await guide(page).getByRole("button", { name: "Split it by ProjectEmployee" }).click();
  await says(guide(page), "No n-to-m line is left.");
}

async function ask(page) {
  await step(page, "Questions").click();
  for (const [at, question] of QUESTIONS.entries()) {
    await offers(page).getByRole("button", { name: question, exact: false }).filter({ hasText: new RegExp(`${question}$`) }).click();
    await says(guide(page), `${at + 1} question`);
  }
}

async function choose(page) {
  await step(page, "Keys").click();
  await guide(page).getByRole("button", { name: "Use these keys" }).click();
  await says(guide(page), "5 of 8 questions need nothing more.");
  await step(page, "Indexes").click();
  for (let left = 3; left > 0; left -= 1) {
    const add = guide(page).locator(".proposal button");
    await eventually(page, async () => assert.equal(await add.count(), left));
    await add.first().click();
  }
  await says(guide(page), "All 8 questions are served by key.");
}

test("the first article's design is built from nothing, all green, priced, and undone", onPage(async (page) => {
  await begin(page);
  await nameThings(page);
  await relate(page);
  await ask(page);
  await choose(page);
  assert.equal(await guide(page).locator("tr .status.is-ok").count(), 8);
  await guide(page).getByRole("button", { name: "See the bill" }).click();
  await says(page.getByRole("region", { name: "Cost", exact: true }), "a month");
}));

test("keys say why they are locked while nothing is asked", onPage(async (page) => {
  await begin(page);
  await step(page, "Keys").focus();
  await page.keyboard.press("Enter");
  await says(guide(page), "A key chosen now would answer questions nobody has asked.");
  assert.ok(!(await words(guide(page))).includes("Use these keys"));
}));

for (const [size, viewport] of Object.entries(viewports)) {
  if (size === "phone") continue;
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in each step, ${size}, ${colorScheme}`, onPage(async (page) => {
      await ready(page);
      await outline(page).getByRole("button", { name: "Guided, 5 steps" }).click();
      for (const name of ["Entities", "Relations", "Questions", "Keys", "Indexes"]) {
        await step(page, name).click();
        assert.deepEqual(await axe(page), []);
      }
    }, { viewport, colorScheme }));
  }
}
