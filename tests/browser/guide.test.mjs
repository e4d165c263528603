// The guided process: the first article's design from nothing to its eight patterns, and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, onPage, viewports } from "./harness.mjs";
import { dialog, eventually, grid, outline, ready, says, words } from "./parts.mjs";

const guide = (page) => page.getByRole("region", { name: "Guided design" });
const step = (page, name) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: new RegExp(name) });
const offers = (page) => page.getByRole("list", { name: "Questions to ask" });
const offer = (page, question) =>
  offers(page).getByRole("button").filter({ hasText: new RegExp(`${question}$`) });
const entityForm = (page) => page.getByRole("form", { name: "Entity" });
const relationForm = (page) => page.getByRole("form", { name: "Relation" });
const related = (page) => guide(page).getByRole("table", { name: "Relations" });
const additions = (page) => guide(page).locator(".proposal button");
const undo = (page) => page.getByRole("button", { name: "Undo", exact: true });

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
const STEPS = ["Entities", "Relations", "Questions", "Keys", "Indexes"];

/** Clicks, choices and typed fields, each counted as one act. */
function acts() {
  const did = {
    count: 0,
    click: (place) => ((did.count += 1), place.click()),
    choose: (place, label) => ((did.count += 1), place.selectOption(label)),
    type: async (place, text) => {
      did.count += 1;
      await place.click({ clickCount: 3 });
      await place.page().keyboard.type(text);
    },
  };
  return did;
}

/** Opens an empty design in the guided process. */
async function begin(page, did = acts()) {
  await ready(page);
  const isPhone = page.viewportSize().width < 640;
  if (isPhone) await page.getByRole("button", { name: "Tables and access patterns" }).click();
  await did.click(outline(page).getByRole("button", { name: "Guided, 5 steps" }));
  await guide(page).waitFor();
  await did.click(guide(page).getByRole("button", { name: "Begin an empty design" }));
  await says(guide(page), "Name the things first.");
}

async function nameThings(page, did = acts()) {
  const form = entityForm(page);
  for (const [name, line, total] of ENTITIES) {
    await did.type(form.getByLabel("Name", { exact: true }), name);
    await did.type(form.getByLabel("Attributes"), line);
    await did.type(form.getByLabel("How many"), total);
    await did.click(form.getByRole("button", { name: "Add an entity" }));
    await says(page.getByRole("list", { name: "Entities" }), name);
  }
}

async function relate(page, did = acts()) {
  await did.click(step(page, "Relations"));
  const form = relationForm(page);
  for (const [from, kind, to] of LINES) {
    await did.choose(form.getByLabel("One", { exact: true }), from);
    await did.choose(form.getByLabel("Kind"), kind);
    await did.choose(form.getByLabel("Many", { exact: true }), to);
    await did.click(form.getByRole("button", { name: "Relate" }));
    await says(related(page), `${from}, ${to}`);
  }
  await did.type(related(page).getByLabel("Name of the entity between"), "Assignment");
  await did.click(related(page).getByRole("button", { name: "Split it by Assignment" }));
  await says(guide(page), "No n-to-m line is left.");
}

async function ask(page, did = acts()) {
  await did.click(step(page, "Questions"));
  for (const [at, question] of QUESTIONS.entries()) {
    await did.click(offer(page, question));
    await says(guide(page), `${at + 1} question`);
  }
}

async function choose(page, did = acts()) {
  await did.click(step(page, "Keys"));
  await did.click(guide(page).getByRole("button", { name: "Use these keys" }));
  await says(guide(page), "5 of 8 questions need nothing more.");
  await did.click(step(page, "Indexes"));
  for (let left = 3; left > 0; left -= 1) {
    await eventually(page, async () => assert.equal(await additions(page).count(), left));
    await did.click(additions(page).first());
  }
  await says(guide(page), "All 8 questions are served by key.");
}

test("the first article's design is built from nothing, all green, priced, and undone", onPage(async (page, t) => {
  const did = acts();
  await begin(page, did);
  await nameThings(page, did);
  await relate(page, did);
  await ask(page, did);
  await choose(page, did);
  assert.equal(await guide(page).locator("tr .status.is-ok").count(), 8);
  const returns = await guide(page).locator("tbody tr td:nth-child(6)").allInnerTexts();
  assert.deepEqual(returns, ["1", "12", "53", "2", "6", "2", "1", "1"]);
  t.diagnostic(`${did.count} clicks, choices and typed fields`);
  assert.ok(did.count < 120, `${did.count}`);
  await guide(page).getByRole("button", { name: "See the bill" }).click();
  await says(page.getByRole("region", { name: "Cost", exact: true }), "a month");
  await page.getByRole("group", { name: "View" }).getByRole("button", { name: "Data" }).click();
  await grid(page).locator(".is-item").first().waitFor();
  let n = 0;
  while (await undo(page).isEnabled()) {
    await undo(page).click();
    n += 1;
    assert.ok(n < 60);
  }
  t.diagnostic(`${n} steps undone`);
  await says(outline(page), "No tables yet.");
  assert.equal((await words(outline(page))).match(/None described\./g).length, 2);
  // What begins a design is there once.
  await says(grid(page), "An empty design", "Guided, 5 steps", "From a file");
  assert.equal(await page.getByRole("combobox", { name: "New from an example" }).count(), 1);
}));

/** Presses Tab until `place` has the focus. */
async function tabTo(page, place) {
  for (let n = 0; n < 150; n += 1) {
    await page.keyboard.press("Tab");
    if ((await place.count()) === 1 && (await place.evaluate((it) => it === document.activeElement))) return;
  }
  assert.fail(`Tab never comes to ${place}`);
}

/** Chooses in the list that has the focus by typing the beginning of the choice. */
async function chooseByKey(page, place, choice) {
  await tabTo(page, place);
  await page.keyboard.type(choice.slice(0, 3));
  await eventually(page, async () => assert.equal(await place.inputValue(), choice));
}

test("names, relations, questions and keys are reached and answered with the keyboard alone", onPage(async (page) => {
  await ready(page);
  const press = async (place) => {
    await tabTo(page, place);
    await page.keyboard.press("Enter");
  };
  await press(outline(page).getByRole("button", { name: "Guided, 5 steps" }));
  await press(guide(page).getByRole("button", { name: "Begin an empty design" }));
  await says(guide(page), "Name the things first.");
  const form = entityForm(page);
  await tabTo(page, form.getByLabel("Name", { exact: true }));
  for (const [name, line, total] of ENTITIES) {
    await page.keyboard.type(name);
    await tabTo(page, form.getByLabel("Attributes"));
    await page.keyboard.type(line);
    await tabTo(page, form.getByLabel("How many"));
    await page.keyboard.type(total);
    await page.keyboard.press("Enter");
    await says(page.getByRole("list", { name: "Entities" }), `${name} ${line}`, `${total} items`);
  }
  await press(step(page, "Relations"));
  const lines = relationForm(page);
  for (const [from, kind, to] of LINES) {
    await chooseByKey(page, lines.getByLabel("One", { exact: true }), from);
    if (kind === "n to m") await chooseByKey(page, lines.getByLabel("Kind"), kind);
    await chooseByKey(page, lines.getByLabel("Many", { exact: true }), to);
    await press(lines.getByRole("button", { name: "Relate" }));
    await says(related(page), `${from}, ${to}`);
  }
  await press(guide(page).getByRole("button", { name: "Split it by Project employee" }));
  await says(guide(page), "No n-to-m line is left.");
  await press(guide(page).getByRole("button", { name: "Next: questions" }));
  for (const question of QUESTIONS) await press(offer(page, question));
  await says(guide(page), "8 questions asked.");
  await press(guide(page).getByRole("button", { name: "Next: keys" }));
  await press(guide(page).getByRole("button", { name: "Use these keys" }));
  await says(guide(page), "5 of 8 questions need nothing more.");
  await tabTo(page, guide(page).getByLabel("PK, partition key of Organisation"));
  await page.keyboard.press("End");
  await page.keyboard.type("x");
  // The question that reads by it runs again with the key as typed.
  await eventually(page, async () => assert.match(await words(guide(page)), /PK = ORG#o\dx/));
}));

test("keys say why they are locked while nothing is asked", onPage(async (page) => {
  await begin(page);
  await step(page, "Keys").focus();
  await page.keyboard.press("Enter");
  await says(guide(page), "A key chosen now would answer questions nobody has asked.");
  assert.ok(!(await words(guide(page))).includes("Use these keys"));
}));

test("two cards are related by pressing them one after the other, or by dragging", onPage(async (page) => {
  await begin(page);
  await nameThings(page);
  await step(page, "Relations").click();
  const card = (name) => guide(page).locator(`.card[data-name="${name}"]`);
  await card("Organisation").click();
  await page.locator('.card[data-from="true"]').waitFor();
  await card("Project").click();
  await says(related(page), "Organisation, Project", "12 each");
  await card("Organisation").dragTo(card("Employee"));
  await says(related(page), "Organisation, Employee", "40 each");
  assert.equal(await page.locator('.card[data-from="true"]').count(), 0);
}));

test("the full forms open from the steps", onPage(async (page) => {
  await begin(page);
  await nameThings(page);
  await guide(page).getByRole("button", { name: "All fields of Project" }).click();
  await dialog(page).waitFor();
  assert.equal(await dialog(page).getByLabel("Name", { exact: true }).first().inputValue(), "Project");
}));

test("what a form does not take is said at the form, and stays typed", onPage(async (page) => {
  await begin(page);
  const form = entityForm(page);
  await form.getByLabel("Name", { exact: true }).fill("Order");
  await form.getByLabel("How many").fill("many");
  await form.getByRole("button", { name: "Add an entity" }).click();
  await says(guide(page), "How many there are is a whole number");
  assert.equal(await form.getByLabel("How many").inputValue(), "many");
  assert.equal(await form.getByLabel("Name", { exact: true }).inputValue(), "Order");
}));

for (const [size, viewport] of Object.entries(viewports)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing serious in each step, and nothing sticks out, ${size}, ${colorScheme}`, onPage(async (page) => {
      await begin(page);
      const look = async () => {
        assert.deepEqual(await axe(page), []);
        const wide = await page.evaluate(() => {
          const guide = document.querySelector(".guide-panel");
          return guide.getBoundingClientRect().right > innerWidth || guide.scrollWidth > guide.clientWidth;
        });
        assert.ok(!wide, "the process is wider than its place");
      };
      await look();
      await nameThings(page);
      await relate(page);
      await ask(page);
      await choose(page);
      for (const name of STEPS) {
        await step(page, name).click();
        await look();
      }
      if (size !== "phone") return;
      await page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: "Result" }).click();
      assert.deepEqual(await axe(page), []);
    }, { viewport, colorScheme }));
  }
}
