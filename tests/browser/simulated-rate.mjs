// How long a simulated second of a scenario takes in Chromium:
// `node tests/browser/simulated-rate.mjs SCENARIO WARM_SECONDS SECONDS`.
//
// Prints one JSON object: `second_ms`, the median of the timed seconds.
//
// Not here: what is fast enough. That is the row of `cargo xtask bench` that runs this.

import { inPackage } from "./package.mjs";

const [scenario, warm, seconds] = process.argv.slice(2);
await inPackage(measure, { scenario, warm: Number(warm), seconds: Number(seconds) });

/** Runs in the page. */
async function measure({ scenario, warm, seconds }) {
  const { createEngine } = await import("/index.js");
  const engine = await createEngine({ simulate: JSON.parse(scenario) });
  engine.advance(warm * 1_000);
  const times = [];
  for (let second = 0; second < seconds; second += 1) {
    const started = performance.now();
    engine.advance(1_000);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { second_ms: times[Math.floor(times.length / 2)] };
}
