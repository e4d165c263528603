// The package in a browser: the WebAssembly module is fetched from beside this file.

import init from './pkg/hashrange_wasm.js'
import { Engine } from './typed.js'

export { Engine }

export async function createEngine(module) {
  await init(module === undefined ? undefined : { module_or_path: module })
  return new Engine()
}
