// Screenshots of the built page beside which the mock is laid: `node tests/browser/shots.mjs`.
//
// Writes shots/<name>-<size>-<scheme>.png for each size and colour scheme. With arguments, each is
// a path below the page, as in `node tests/browser/shots.mjs "?view=about"`.

import { close, openPage, shoot, viewports } from "./harness.mjs";

/** Time for fonts, first data and layout to settle; pictures only, no test waits like this. */
const SETTLE_MS = 1500;

const paths = process.argv.slice(2);
let hasProblems = false;
for (const path of paths.length > 0 ? paths : [""]) {
  for (const [size, viewport] of Object.entries(viewports)) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await openPage({ viewport, colorScheme, path });
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(SETTLE_MS);
      console.log(await shoot(page, `${path || "page"}-${size}-${colorScheme}`));
      for (const problem of page.problems) {
        hasProblems = true;
        console.error(problem);
      }
      await page.context().close();
    }
  }
}
await close();
process.exitCode = hasProblems ? 1 : 0;
