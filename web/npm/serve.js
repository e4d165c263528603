#!/usr/bin/env node
// `npx @hashrange/engine serve`: DynamoDB on this machine, without anything but Node.js.

import { createEngine } from './node.js'
import { OptionError } from './serve/option-error.js'
import { USAGE, readOptions } from './serve/options.js'
import { createServer, listen, stop } from './serve/server.js'

/** How long requests under way may take to finish once the server stops. */
const STOP_TIME_MAX_MS = 3000

// Nobody may be listening to standard output; the server is no worse for it.
process.stdout.on('error', () => {})

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isOption = error instanceof OptionError
  console.error(`error: ${isOption || error.isSentence ? error.message : error.stack}`)
  process.exitCode = isOption ? 2 : 1
}

async function main(args) {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return
  }
  const { host, port, origins, ...engineOptions } = options
  const engine = await createEngine(engineOptions).catch((error) => {
    throw error instanceof TypeError ? new OptionError(`--${error.message}`) : error
  })
  const server = createServer(engine, { origins, region: options.region })
  const address = await listen(server, host, port)
  process.stdout.write(`Hashrange answers DynamoDB requests at ${address}\n`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(server, STOP_TIME_MAX_MS))
}
