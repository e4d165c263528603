// Which web pages may talk to the server: those whose origin was named with `--cors`, and no others.
//
// A browser puts `Origin` on every POST of a page. Clients that are no browsers send none and are not concerned.

import { OptionError } from './option-error.js'

const METHODS = 'GET, HEAD, OPTIONS, POST'
const EXPOSED = 'x-amzn-RequestId, x-amzn-ErrorType, x-amz-crc32, Date'
/** Seconds a browser may keep the answer to a preflight; the most Chromium takes. */
const MAX_AGE = '7200'

/** The origins whose pages are answered. */
export class Origins {
  #names

  /** @param {string[]} texts Origins such as `http://localhost:3000`; `*` lets every page in. */
  constructor(texts) {
    this.#names = texts.map(origin)
  }

  /** @param {string | undefined} name The header `Origin`, if there is one. */
  allow(name) {
    return name === undefined || this.#names.includes('*') || this.#names.includes(name)
  }
}

/** The origin as browsers spell it: lower case, no slash at the end. */
function origin(text) {
  const spelled = text.trim().replace(/\/+$/, '').toLowerCase()
  if (spelled !== '*' && !/^[^/:\s]+:\/\/[^/\s?#@\p{Cc}]+$/u.test(spelled)) {
    throw new OptionError(
      `${text} is not an origin: write a scheme and a host such as http://localhost:3000, or * for every page`,
    )
  }
  return spelled
}

/**
 * The headers that let a page of an origin that is allowed read an answer, and send what it asks for.
 *
 * @param {import('node:http').IncomingMessage} request
 */
export function corsHeaders({ method, headers }) {
  if (headers.origin === undefined) return method === 'OPTIONS' ? { allow: METHODS } : {}
  const given = {
    'access-control-allow-origin': headers.origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  }
  if (method !== 'OPTIONS') return given
  given['access-control-allow-methods'] = METHODS
  given['access-control-max-age'] = MAX_AGE
  const names = headers['access-control-request-headers']
  if (names !== undefined) given['access-control-allow-headers'] = names
  if (headers['access-control-request-private-network'] !== undefined) {
    given['access-control-allow-private-network'] = 'true'
  }
  return given
}
