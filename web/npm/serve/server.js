// Node's own HTTP server over an engine: methods, headers and connections. What a request means is the engine's.

import http from 'node:http'
import * as zlib from 'node:zlib'
import { requestId } from '../request-id.js'
import { UnknownCompression, readBody } from './body.js'
import { corsHeaders } from './origins.js'

const TEXT = 'text/plain; charset=utf-8'
/** Most bytes of a request's headers. */
const HEADERS_BYTES_MAX = 64 * 1024
/** How long a request may take to arrive, and a connection may wait for its next one. */
const PATIENCE_MS = 30_000
const FAULT =
  '{"__type":"com.amazon.coral.service#InternalServerError","message":"Hashrange met a fault of its own."}'

/**
 * A server that does not listen yet.
 *
 * @param {import('../index.js').Engine} engine
 * @param {{ origins: import('./origins.js').Origins, region: string }} settings
 */
export function createServer(engine, settings) {
  const limits = {
    maxHeaderSize: HEADERS_BYTES_MAX,
    requestTimeout: PATIENCE_MS,
    headersTimeout: PATIENCE_MS,
    keepAliveTimeout: PATIENCE_MS,
    noDelay: true,
  }
  const server = http.createServer(limits, async (request, response) => {
    try {
      const answer = await answerTo(request, engine, settings)
      // A server that stops takes no more requests on its connections either.
      if (!server.listening) answer.isLast = true
      send(request, response, answer, settings.origins)
    } catch {
      // The client went away in the middle of its request: nobody is left to answer.
      response.destroy()
    }
  })
  return server
}

/** Decides by the method, as DynamoDB does; it does not look at the path. */
async function answerTo(request, engine, { origins, region }) {
  const { method, headers } = request
  if (!origins.allow(headers.origin) && (method === 'POST' || method === 'OPTIONS')) {
    return foreignPage(headers.origin)
  }
  switch (method) {
    case 'POST':
      return post(request, engine)
    case 'OPTIONS':
      return text(200, '')
    case 'GET':
    case 'HEAD':
      return text(200, `healthy: dynamodb.${region}.amazonaws.com`)
    default:
      return text(404, '<UnknownOperationException/>\n')
  }
}

async function post(request, engine) {
  let body
  try {
    body = await readBody(request)
  } catch (error) {
    if (!(error instanceof UnknownCompression)) throw error
    return text(415, "The request's Content-Encoding can't be read: send gzip or none.\n")
  }
  const at = request.url.indexOf('?')
  const query = at === -1 ? '' : request.url.slice(at + 1)
  try {
    return { ...engine.answerPost(request.headers, query, body), isLast: body === undefined }
  } catch (error) {
    console.error(error)
    return { status: 500, contentType: 'application/x-amz-json-1.0', body: FAULT }
  }
}

function foreignPage(origin) {
  const sentence = `Web pages of ${origin} are not answered: start the server with --cors ${origin} to let them in.\n`
  return { ...text(403, sentence), isLast: true }
}

function text(status, body) {
  return { status, contentType: TEXT, body }
}

/** Every answer names its request and carries the CRC-32 of its bytes, where Node can work it out. */
function send(request, response, { status, contentType, body, isLast }, origins) {
  const bytes = Buffer.from(body)
  const headers = {
    'x-amzn-requestid': requestId(),
    'content-type': contentType,
    'content-length': bytes.length,
    ...(origins.allow(request.headers.origin) ? corsHeaders(request) : {}),
  }
  if (zlib.crc32 !== undefined) headers['x-amz-crc32'] = zlib.crc32(bytes)
  if (isLast) headers.connection = 'close'
  response.writeHead(status, headers)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

/**
 * Starts listening.
 *
 * @returns {Promise<string>} The address, such as `http://127.0.0.1:8000`.
 */
export async function listen(server, host, port) {
  await new Promise((resolve, reject) => {
    server.once('error', (error) => reject(refusal(error, host, port)))
    server.listen(port, host, resolve)
  })
  const { address, family, port: taken } = server.address()
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

function refusal(error, host, port) {
  const sentences = {
    EADDRINUSE: `port ${port} is taken: choose another with --port`,
    EACCES: `port ${port} needs more rights: choose one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
  }
  const sentence = sentences[error.code] ?? `${host}:${port} can't be used: ${error.message}`
  return Object.assign(new Error(sentence), { isSentence: true })
}

/** Lets requests under way finish, for some time at most, and takes no others. */
export function stop(server, timeMaxMs) {
  server.close()
  server.closeIdleConnections()
  setTimeout(() => server.closeAllConnections(), timeMaxMs).unref()
}
