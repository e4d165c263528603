// The package in a browser: the WebAssembly module is fetched from beside this file.

import init, { Engine } from './pkg/hashrange_wasm.js'

export { requestHandler } from './aws-sdk.js'
export { Engine }

export async function createEngine({ module, ...options } = {}) {
  await init(module === undefined ? undefined : { module_or_path: module })
  return new Engine(options)
}
