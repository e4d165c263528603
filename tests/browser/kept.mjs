// What tests of kept work share: where the page says how it keeps, and the ways to change, name and list designs.

import { dialog, operation, outline, paste, ready, run, says } from "./parts.mjs";

export const NEW_PROJECT = '{"TableName": "OrgDirectory", "Item": {"PK": {"S": "ORG#1234"}, "SK": {"S": "PROJECT#p-10"}, "name": {"S": "Roof repair"}}}';

export const SAVED = "Saved in this browser";
export const banner = (page) => page.locator(".topbar-panel");
export const notice = (page) => page.locator(".notice-panel");
export const elsewhere = (page) => page.locator(".shelf-strip");
export const kept = (page) => dialog(page).getByRole("list", { name: "Kept designs" });
export const deleted = (page) => dialog(page).getByRole("list", { name: "Deleted designs" });
export const named = (page, name) => dialog(page).getByRole("button", { name, exact: true });

export async function openShelf(page) {
  await banner(page).getByRole("button", { name: "Designs", exact: true }).click();
  await dialog(page).waitFor();
}

export async function closeDialog(page) {
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

export async function rename(page, title) {
  await banner(page).getByRole("button", { name: /^Rename design/ }).click();
  await banner(page).getByRole("textbox", { name: "Title of the design" }).fill(title);
  await page.keyboard.press("Enter");
  await says(banner(page), title);
}

/** Changes the first visit's design and opens another, changed as well: two are kept, and the second is in view. */
export async function keepTwo(page) {
  await ready(page);
  await writeProject(page);
  await says(banner(page), SAVED);
  await page.getByRole("combobox", { name: "Examples" }).selectOption({ label: "File versions" });
  await rename(page, "My files");
  await says(banner(page), SAVED);
}

/** What the browser holds of the page. */
export const stored = (page) => page.evaluate(async () => ({
  databases: (await indexedDB.databases()).map(({ name }) => name),
  local: Object.keys(localStorage),
  tab: Object.keys(sessionStorage),
}));

export async function writeProject(page) {
  await operation(page).selectOption("PutItem");
  await paste(page, NEW_PROJECT);
  await run(page);
  await says(outline(page), "OrgDirectory 25 items");
}
