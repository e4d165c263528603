// `serve` as a process of its own, spoken to byte by byte or by fetch.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const SERVE = fileURLToPath(new URL('../serve.js', import.meta.url))
export const SIGNATURE =
  'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'

/** Runs the program to its end: `{ code, stdout, stderr }`. */
export async function run(...args) {
  const child = spawn(process.execPath, [SERVE, ...args])
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (text) => (output[name] += text))
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/** Starts a server on a free port, and ends it with the test. */
export async function start(context, ...options) {
  const child = spawn(process.execPath, [SERVE, 'serve', '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  context.after(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  return new Server(child, line)
}

class Server {
  constructor(child, line) {
    this.child = child
    this.line = line
    this.address = line.slice(line.indexOf('http://'))
  }

  /** Asks for an operation as an SDK does. */
  call(operation, body, headers = {}) {
    return this.send(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body), {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      authorization: SIGNATURE,
      ...headers,
    })
  }

  /** Sends a request; headers that are undefined are left out. `{ status, headers, text, json }`. */
  async send(body, headers, { method = 'POST', path = '/', agent } = {}) {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined)
    const request = httpRequest(this.address + path, { method, agent, headers: Object.fromEntries(given) })
    // A server that has answered may close before it has read everything.
    const answered = once(request, 'response')
    request.on('error', () => {})
    request.end(body)
    const [response] = await answered
    const pieces = []
    for await (const piece of response) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    const text = bytes.toString()
    return { status: response.statusCode, headers: response.headers, bytes, text, json: () => JSON.parse(text) }
  }

  /** Signals the process and waits for its end: its exit code. */
  async stop(signal) {
    this.child.kill(signal)
    const [code] = await once(this.child, 'exit')
    return code
  }
}
