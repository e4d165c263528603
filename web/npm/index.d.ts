/// <reference lib="esnext.disposable" />

// What both entries of the package offer.

import { Engine as TextEngine, type OperationName, type Operations } from './pkg/hashrange_wasm.js'

export type * from './pkg/hashrange_wasm.js'

/** A database without tables. Make one with `createEngine`, which loads the module first. */
export class Engine extends TextEngine {
  /**
   * As `send`, with objects instead of JSON text.
   *
   * Throws an `EngineError` for whatever DynamoDB refuses.
   */
  call<Name extends OperationName>(
    operation: Name,
    request?: Operations[Name]['input'],
  ): Operations[Name]['output']
}

/**
 * Loads the WebAssembly module, once, and makes an engine.
 *
 * @param module Where the module comes from, if not from beside the package: a compiled module or its
 * bytes; in a browser also its address, or the response to a fetch.
 */
export function createEngine(
  module?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response>,
): Promise<Engine>
