// An engine in place of the network, for the clients of the AWS SDK for JavaScript v3.

import { requestId } from './request-id.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * What a client takes as its `requestHandler`: every request it sends is answered by `engine`.
 *
 * @param {import('./index.js').Engine} engine
 * @returns {import('./index.js').EngineRequestHandler}
 */
export function requestHandler(engine) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },

    async handle(request, { abortSignal } = {}) {
      if (abortSignal?.aborted) throw aborted(abortSignal.reason)
      const { status, body } = engine.sendText(request.headers['x-amz-target'] ?? '', text(request.body))
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amzn-requestid': requestId(),
      }
      return { response: { statusCode: status, headers, body: encoder.encode(body) } }
    },

    // The engine is its owner's: a client that is destroyed leaves it as it is.
    destroy() {},
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}

function text(body) {
  if (body === undefined || body === null) return ''
  return typeof body === 'string' ? body : decoder.decode(body)
}

/** The error that the SDK's own transport rejects with. */
function aborted(reason) {
  const error = new Error('Request aborted', { cause: reason })
  error.name = 'AbortError'
  return error
}
