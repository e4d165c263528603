// The package in Node.js: the WebAssembly module is read from the disk.

import { readFile } from 'node:fs/promises'
import { Engine, initSync } from './pkg/hashrange_wasm.js'

export { requestHandler } from './aws-sdk.js'
export { Engine }

const path = new URL('./pkg/hashrange_wasm_bg.wasm', import.meta.url)
let loading

export async function createEngine({ module, ...options } = {}) {
  // A module that did not load must not be in the way of the next attempt.
  loading ??= load(module).catch((error) => {
    loading = undefined
    throw error
  })
  await loading
  return new Engine(options)
}

async function load(module = readFile(path)) {
  const source = await module
  initSync({ module: source instanceof Response ? await source.arrayBuffer() : source })
}
