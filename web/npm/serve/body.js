// The body of a request: bytes off the wire, uncompressed, never more of them than a request may have.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** Most bytes of a request's body. */
export const BYTES_MAX = 16 * 1024 * 1024
/** How much of a body that is too large is still read, so that its sender hears the answer. */
const DRAINED_BYTES_MAX = 4 * BYTES_MAX

const unzip = promisify(gunzip)

/** What stands for a body that says it is compressed and is not: no JSON. */
const BROKEN = new Uint8Array()

/** The body is compressed in a way nobody here can read. */
export class UnknownCompression extends Error {}

/**
 * Reads the whole body; nothing if it is too large, as sent or once uncompressed.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Uint8Array | undefined>}
 */
export async function readBody(request) {
  const raw = await collect(request)
  const encoding = (request.headers['content-encoding'] ?? '').toLowerCase()
  if (raw === undefined || encoding === '' || encoding === 'identity') return raw
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new UnknownCompression()
  try {
    return await unzip(raw, { maxOutputLength: BYTES_MAX })
  } catch (error) {
    return error.code === 'ERR_BUFFER_TOO_LARGE' ? undefined : BROKEN
  }
}

async function collect(request) {
  let pieces = []
  let bytes = 0
  // A request that is given up half read must not take its connection, and so its answer, along.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    bytes += piece.length
    // What was kept goes at once; what still comes is dropped as it comes.
    if (bytes > BYTES_MAX) pieces = []
    else pieces.push(piece)
    if (bytes > DRAINED_BYTES_MAX) break
  }
  if (bytes > BYTES_MAX) return undefined
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)
}
