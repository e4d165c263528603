// The command line of `serve`.

import { isIP } from 'node:net'
import { OptionError } from './option-error.js'
import { Origins } from './origins.js'

export const USAGE = `Answer DynamoDB requests over HTTP until stopped

Usage: npx @hashrange/engine serve [OPTIONS]

Options:
  --port PORT        Port to answer on; 0 takes any free one [default: 8000]
  --host HOST        Address to answer on [default: 127.0.0.1]
  --cors ORIGIN      Origin whose web pages may send requests, such as http://localhost:3000; * for every page;
                     may be repeated
  --region REGION    Region that ARNs name [default: us-east-1]
  --delays DELAYS    How long changes of tables take: instant, short (20 to 200 ms, but tables are made and
                     deleted at once) or measured, as on AWS [default: short]
  --wording EDITION  Edition of DynamoDB's messages: 2026-07, which is today's, or 2026-05 [default: 2026-07]
  --help             Print this
`

const NAMES = ['port', 'host', 'cors', 'region', 'delays', 'wording']

/**
 * Reads the arguments after the program's name.
 *
 * @param {string[]} args
 * @returns {undefined | { host: string, port: number, origins: Origins, region: string, delays: string,
 *   wording?: string }} Nothing where help is asked for.
 */
export function readOptions(args) {
  if (args.includes('--help') || args.includes('-h')) return undefined
  const [command, ...rest] = args
  if (command !== 'serve') {
    throw new OptionError(
      command === undefined
        ? 'a command is missing: write `serve`, or --help to see its options'
        : `there is no command ${command}: write \`serve\`, or --help to see its options`,
    )
  }
  const given = readPairs(rest)
  const { host = '127.0.0.1', region = 'us-east-1', delays = 'short', wording } = given
  if (isIP(host) === 0) {
    throw new OptionError(`--host is an address of this machine, such as 127.0.0.1; not ${host}`)
  }
  return { host, port: port(given.port ?? '8000'), origins: new Origins(given.cors), region, delays, wording }
}

/** The options by name, as written. */
function readPairs(args) {
  const given = { cors: [] }
  for (let at = 0; at < args.length; at += 1) {
    const [, name, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(args[at]) ?? []
    if (!NAMES.includes(name)) {
      throw new OptionError(`there is no option ${args[at]}: --help shows those that there are`)
    }
    const value = inline ?? args[(at += 1)]
    if (value === undefined) throw new OptionError(`--${name} needs a value: --help shows which`)
    if (name === 'cors') given.cors.push(value)
    else if (Object.hasOwn(given, name)) throw new OptionError(`--${name} is given twice: leave one out`)
    else given[name] = value
  }
  return given
}

function port(text) {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > 65_535) {
    throw new OptionError(`--port is a number from 0 to 65535; not ${text}`)
  }
  return number
}
