// How the page looks: at phone width, in light and dark, with less motion, and at the widths between.
//
// Not here: what a screen reader makes of it, which is in `access.test.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { onPage, viewports } from "./harness.mjs";
import {
  capacity, editor, eventually, grid, history, items, ready, result, run, running, runButton, says,
} from "./parts.mjs";

const phone = { viewport: viewports.phone };
const pane = (page, name) => page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });

/** Asserts that nothing sticks out sideways. */
async function fitsSideways(page) {
  const [content, window] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window}`);
}

for (const colorScheme of ["light", "dark"]) {
  test(`nothing sticks out sideways, on a desk and on any pane of a phone, ${colorScheme}`, async (t) => {
    await onPage(async (page) => {
      await ready(page);
      await fitsSideways(page);
    }, { colorScheme })(t);
    await onPage(async (page) => {
      await ready(page);
      for (const name of ["Data", "Run", "Result"]) {
        await pane(page, name).click();
        await fitsSideways(page);
      }
    }, { ...phone, colorScheme })(t);
  });
}

test("a phone shows one pane at a time, and a run leads to its result", onPage(async (page) => {
  await ready(page);
  assert.ok(!(await runButton(page).isVisible()));
  assert.equal(await pane(page, "Data").getAttribute("aria-pressed"), "true");
  await pane(page, "Run").click();
  assert.ok(await editor(page).isVisible());
  assert.ok(!(await grid(page).isVisible()));
  await runButton(page).click();
  await eventually(page, async () => assert.equal(await pane(page, "Result").getAttribute("aria-pressed"), "true"));
  await says(result(page), "Next page");
  await says(capacity(page), "RCU");
  await pane(page, "Data").click();
  await says(page.getByRole("main"), "Query 2 read 5 items");
  assert.ok(await grid(page).isVisible());
}, phone));

test("on a phone an access pattern is reached by the menu and shows its result", onPage(async (page) => {
  await ready(page);
  await page.getByRole("button", { name: "Tables and access patterns" }).click();
  await page.getByRole("navigation", { name: "Design" }).getByRole("button", { name: "Organisation's projects" }).click();
  await eventually(page, async () => assert.equal(await pane(page, "Result").getAttribute("aria-pressed"), "true"));
  await says(result(page), "PROJECT#p-01");
}, phone));

test("a phone's extra keys type what its keyboard hides", onPage(async (page) => {
  await ready(page);
  await pane(page, "Run").click();
  await editor(page).click();
  await page.keyboard.press("Control+A");
  await page.getByRole("group", { name: "Insert" }).getByRole("button", { name: "{}" }).click();
  await eventually(page, async () => assert.equal(await editor(page).inputValue(), "{}"));
}, phone));

test("what a finger presses on a phone is at least 24 px in size", onPage(async (page) => {
  await ready(page);
  for (const name of ["Data", "Run", "Result"]) {
    await pane(page, name).click();
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, a, input")]
        .map((part) => [part.getAttribute("aria-label") ?? part.textContent, part.getBoundingClientRect()])
        .filter(([, box]) => box.width > 1 && box.height > 1 && (box.width < 24 || box.height < 24))
        .map(([label, box]) => `${label}: ${box.width} x ${box.height}`));
    assert.deepEqual(small, [], `on ${name}`);
  }
}, phone));

test("rows of the table lie below each other, on a desk and on a phone", async (t) => {
  for (const viewport of Object.values(viewports)) {
    await onPage(async (page) => {
      await ready(page);
      const overlaps = await grid(page).evaluate((grid) => {
        const rows = [...grid.querySelectorAll(".rows > *")]
          .map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
        return rows.slice(1).filter((row, at) => row.top < rows[at].bottom - 1).length;
      });
      assert.equal(overlaps, 0, `rows overlap at ${viewport.width} px`);
    }, { viewport })(t);
  }
});

test("the system's colours are worn, and the button changes them", onPage(async (page) => {
  await ready(page);
  const lightness = () => page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data[1];
  });
  assert.ok(await lightness() < 80, "a dark system gets a light page");
  await page.getByRole("button", { name: "Theme: as the system. Switch to light" }).click();
  await eventually(page, async () => assert.ok(await lightness() > 200, "light was chosen and the page is dark"));
}, { colorScheme: "dark" }));

test("nothing moves for a person who asked for less motion", onPage(async (page) => {
  await ready(page);
  assert.ok(await page.evaluate(() => matchMedia("(prefers-reduced-motion: reduce)").matches));
  await page.getByRole("button", { name: "Help and keyboard" }).click();
  await page.keyboard.press("Escape");
  await run(page);
  await page.getByRole("combobox", { name: "Examples" }).selectOption({ label: "File versions" });
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll("*")].filter((part) => {
      const style = getComputedStyle(part);
      const longest = (value) => Math.max(...value.split(",").map(Number.parseFloat));
      return longest(style.transitionDuration) > 0 || longest(style.animationDuration) > 0 ||
        style.scrollBehavior === "smooth";
    }).map((part) => part.className));
  assert.deepEqual(moving, []);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}));

test("the page stays whole at every width between a phone and a desk", onPage(async (page) => {
  await ready(page);
  for (const width of [320, 480, 639, 640, 899, 900, 1100, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await fitsSideways(page);
    await grid(page).waitFor();
    assert.ok(await items(page).first().isVisible(), `no items at ${width} px`);
  }
  await running(page, () => page.keyboard.press("Control+Enter"));
  await says(history(page), "2 requests");
}));
