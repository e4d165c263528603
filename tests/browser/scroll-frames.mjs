// How long a frame takes while 100,000 items scroll by: `node tests/browser/scroll-frames.mjs`.
//
// Imports a generated model through the page, as a person would, turns the wheel from end to end of
// the table, and prints one JSON object. `longest_frame_ms` and `p95_frame_ms` are what frames cost
// the page's main thread: script, style, layout and paint run in one task of it. The browser's own
// trace tells them in time of that thread, so programs beside it don't count. `_shown_` members are
// by the clock, from one animation frame to the next, and `plain_` members are of a list of boxes.
//
// Invariant: of several passes the calmest counts, because other work on the machine only ever adds.
//
// Not here: what is too long. That is the row of `cargo xtask bench` that runs this.

import { close, openPage } from "./harness.mjs";
import { chooseFile, dialog, eventually, file, grid, items, outline, ready, says } from "./parts.mjs";

const N_ITEMS = 100_000;
/** Items of one partition key: several are in view at once, as in a single-table design. */
const COLLECTION = 40;
const PASSES = 3;
/** Turns of the wheel: small ones as a finger makes them, then strides to the end. */
const SMALL_STEPS = 150;
const SMALL_STEP_PX = 240;
const STRIDES = 150;
/** Shorter tasks are no frames in which anything was drawn anew, in ms. */
const FRAME_MS_MIN = 1;

/** As tall as the table, with boxes that nobody draws anew: what scrolling costs the browser itself. */
const PLAIN_LIST = `<!doctype html><style>
  #list { height: 600px; overflow: auto } #list div { height: 48px; border-bottom: 1px solid }
</style><div id="list">${"<div>plain</div>".repeat(5_000)}</div>`;

try {
  console.log(JSON.stringify(await measure()));
} catch (error) {
  console.error(error.message.split("\n")[0]);
  process.exitCode = 1;
} finally {
  await close();
}

async function measure() {
  const page = await openPage();
  await ready(page);
  await chooseFile(page, file("many.json", manyItems()));
  await dialog(page).getByRole("button", { name: "Open" }).click({ timeout: 120_000 });
  await says(outline(page), "Many 100000 items");
  await items(page).first().waitFor();
  // Saving is work of its own and over before anyone scrolls that far.
  await says(page.getByRole("banner"), "Saved in this browser");
  const table = await calmest(page, () => scrolled(page, grid(page)));
  await page.context().close();

  const bare = await openPage();
  await bare.setContent(PLAIN_LIST);
  const plain = await calmest(bare, () => scrolled(bare, bare.locator("#list")));
  await bare.context().close();
  return {
    longest_frame_ms: table.longest,
    p95_frame_ms: table.p95,
    longest_shown_frame_ms: table.longestShown,
    p95_shown_frame_ms: table.p95Shown,
    plain_longest_frame_ms: plain.longest,
    plain_longest_shown_frame_ms: plain.longestShown,
    n_items: N_ITEMS,
    n_frames: table.n_frames,
  };
}

/** A model of one table with 100,000 small items of two kinds. */
function manyItems() {
  const data = Array.from({ length: N_ITEMS }, (_, at) => {
    const number = String(at % COLLECTION).padStart(3, "0");
    const isNote = at % COLLECTION >= COLLECTION / 2;
    return {
      pk: { S: `CUSTOMER#${String(Math.floor(at / COLLECTION)).padStart(5, "0")}` },
      sk: { S: `${isNote ? "NOTE" : "ORDER"}#${number}` },
      ...(isNote ? { text: { S: `note ${at}` } } : { status: { S: "shipped" }, total: { N: String(at) } }),
    };
  });
  return {
    ModelName: "Many",
    ModelMetadata: { Author: "Hashrange", AWSService: "Amazon DynamoDB", Version: "3.0" },
    DataModel: [{
      TableName: "Many",
      KeyAttributes: {
        PartitionKey: { AttributeName: "pk", AttributeType: "S" },
        SortKey: { AttributeName: "sk", AttributeType: "S" },
      },
      TableData: data,
    }],
  };
}

/** The pass with the shortest longest frame. */
async function calmest(page, pass) {
  const passes = [];
  for (let turn = 0; turn < PASSES; turn += 1) passes.push(await pass());
  const [best] = passes.sort((a, b) => a.longest - b.longest);
  return best;
}

/** Turns the wheel over `place` from its top to its end while its frames are timed. */
async function scrolled(page, place) {
  await place.evaluate((element) => { element.scrollTop = 0; });
  await place.hover();
  const height = await place.evaluate((element) => element.scrollHeight);
  const shown = await watchFrames(page);
  const tasks = await traceTasks(page);
  for (let step = 0; step < SMALL_STEPS; step += 1) await page.mouse.wheel(0, SMALL_STEP_PX);
  for (let step = 0; step < STRIDES; step += 1) await page.mouse.wheel(0, Math.ceil(height / STRIDES));
  await eventually(page, async () => {
    const left = await place.evaluate((element) =>
      element.scrollHeight - element.clientHeight - element.scrollTop);
    if (left > 1) throw new Error(`the wheel stopped ${left} px before the end`);
  });
  const byThread = spread(await tasks());
  const byClock = spread(await shown());
  return {
    longest: byThread.longest,
    p95: byThread.p95,
    longestShown: byClock.longest,
    p95Shown: byClock.p95,
    n_frames: byClock.n,
  };
}

/** Times frames by the clock from now on; what it returns ends that and tells them, in ms. */
async function watchFrames(page) {
  await page.evaluate(() => {
    const frames = [];
    let last;
    const tick = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      globalThis.ticking = requestAnimationFrame(tick);
    };
    globalThis.frames = frames;
    globalThis.ticking = requestAnimationFrame(tick);
  });
  return () => page.evaluate(() => {
    cancelAnimationFrame(globalThis.ticking);
    return globalThis.frames;
  });
}

/**
 * Traces the main thread from now on; what it returns ends that and tells the thread time of its
 * tasks in ms, those of frames among them.
 */
async function traceTasks(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  const traceConfig = { includedCategories: ["toplevel", "devtools.timeline"], excludedCategories: ["*"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
    const frame = events.find(({ name }) => name === "FireAnimationFrame");
    const isTask = ({ cat, ph, pid, tid, tdur, name }) =>
      cat === "toplevel" && ph === "X" && pid === frame.pid && tid === frame.tid && tdur > 0 &&
      name.endsWith("RunTask");
    return events.filter(isTask).map(({ tdur }) => tdur / 1000).filter((ms) => ms >= FRAME_MS_MIN);
  };
}

/** The longest and the 95th of a hundred. */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const round = (value) => Math.round(value * 10) / 10;
  return {
    longest: round(sorted.at(-1) ?? 0),
    p95: round(sorted[Math.floor(sorted.length * 0.95)] ?? 0),
    n: sorted.length,
  };
}
