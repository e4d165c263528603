// The package in a browser: the WebAssembly module is fetched from beside this file.

import init, { Engine } from './pkg/hashrange_wasm.js'

export { requestHandler } from './aws-sdk.js'
export { Engine }

export async function createEngine({ module, ...options } = {}) {
  const load = options.simulate === undefined ? { init, Engine } : await simulator()
  await load.init(module === undefined ? undefined : { module_or_path: module })
  return new load.Engine(options)
}

/** The module with the simulator, which nobody downloads who does not ask for it. */
async function simulator() {
  const { default: init, Engine } = await import('./pkg/simulation/hashrange_wasm.js')
  return { init, Engine }
}
