// The package in Node.js: the WebAssembly modules are read from the disk.

import { readFile } from 'node:fs/promises'
import { Engine } from './pkg/hashrange_wasm.js'

export { requestHandler } from './aws-sdk.js'
export { Engine }

const loading = {}

export async function createEngine({ module, ...options } = {}) {
  const folder = options.simulate === undefined ? './pkg' : './pkg/simulation'
  // A module that did not load must not be in the way of the next attempt.
  loading[folder] ??= load(folder, module).catch((error) => {
    delete loading[folder]
    throw error
  })
  const { Engine } = await loading[folder]
  return new Engine(options)
}

async function load(folder, module) {
  const scripts = await import(`${folder}/hashrange_wasm.js`)
  const source = await (module ?? readFile(new URL(`${folder}/hashrange_wasm_bg.wasm`, import.meta.url)))
  scripts.initSync({ module: source instanceof Response ? await source.arrayBuffer() : source })
  return scripts
}
