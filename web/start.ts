// Loads the engine behind the page that is already readable. If it can't run, the page stays and says why.

function keptTheme(): string | null {
  try {
    return localStorage.getItem("hashrange.theme");
  } catch {
    // A sandboxed frame has no storage; the system's theme is worn.
    return null;
  }
}

const theme = keptTheme();
if (theme === "light" || theme === "dark") {
  document.documentElement.dataset.theme = theme;
}

try {
  const address = new URL("app/hashrange_ui.js", document.baseURI).href;
  const engine: { default: () => Promise<unknown> } = await import(address);
  await engine.default();
} catch (reason) {
  const status = document.querySelector(".starting");
  if (status) {
    const why = "WebAssembly" in globalThis ? "It could not be loaded." : "This browser has no WebAssembly.";
    status.textContent = `The engine did not start. ${why} The example above stays readable; reload to try again.`;
  }
  console.error(reason);
}

export {};
