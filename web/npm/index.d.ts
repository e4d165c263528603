/// <reference lib="esnext.disposable" />

// What both entries of the package offer.

import type { Engine, EngineOptions, Scenario, SimulationEvent } from './pkg/hashrange_wasm.js'

export type * from './pkg/hashrange_wasm.js'
export { Engine } from './pkg/hashrange_wasm.js'

/** What `createEngine` takes. */
export interface CreateOptions extends EngineOptions {
  /**
   * Where the module comes from, if not from beside the package: a compiled module or its bytes; in a browser
   * also its address, or the response to a fetch.
   */
  module?: string | URL | Response | BufferSource | WebAssembly.Module | Promise<Response>
}

/** An engine in simulated time. */
export interface SimulatedEngine extends Engine {
  /** The simulated moment, in milliseconds since 1970. */
  readonly now: number
  /** Lets so many milliseconds of simulated time pass, at most a week, and whatever is due in them happen. */
  advance(ms: number): void
  /** The newest 10,000 things that happened in simulated time, oldest first. */
  events(): SimulationEvent[]
}

/** Loads the module with the simulator, once, and makes an engine that plays a scenario. */
export function createEngine(options: CreateOptions & { simulate: Scenario }): Promise<SimulatedEngine>
/** Loads the WebAssembly module, once, and makes an engine: a database without tables. */
export function createEngine(options?: CreateOptions): Promise<Engine>

/** What the AWS SDK for JavaScript v3 sends its requests through. */
export type EngineRequestHandler = {
  metadata: { handlerProtocol: string }
  /** Rejects with an `AbortError` if the request was given up before. */
  handle(
    request: { headers: Record<string, string>; body?: string | Uint8Array },
    options?: { abortSignal?: { readonly aborted: boolean; readonly reason?: unknown } },
  ): Promise<{ response: { statusCode: number; headers: Record<string, string>; body: Uint8Array } }>
  destroy(): void
  updateHttpClientConfig(): void
  httpHandlerConfigs(): Record<string, never>
}

/**
 * An engine in place of the network: pass the result to a client of the AWS SDK as its `requestHandler`.
 */
export function requestHandler(engine: Pick<Engine, 'sendText'>): EngineRequestHandler
