import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Invocation } from './runner.ts'

/** A response may have 6 MB, and a little more. */
const mostResponseBytes = 6 * 1024 * 1024 + 256 * 1024
const base = '/2018-06-01/runtime'

/** What a process says about a call, or about its start. */
export type RuntimeAnswer =
  | { readonly kind: 'response'; readonly requestId: string; readonly payload: Buffer }
  | { readonly kind: 'error'; readonly requestId: string; readonly payload: Buffer }
  | { readonly kind: 'init-error'; readonly payload: Buffer }

/** Lambda's runtime API for one process: it asks for the next call, and says how it went. Every process has a port of its
 *  own, because that is all that the official clients can be told. */
export class RuntimeApi {
  readonly #server: Server
  readonly #onReady: () => void
  readonly #onAnswer: (answer: RuntimeAnswer) => void
  /** The process waits for a call. */
  #waiting: ServerResponse | undefined

  constructor(onReady: () => void, onAnswer: (answer: RuntimeAnswer) => void) {
    this.#onReady = onReady
    this.#onAnswer = onAnswer
    this.#server = createServer((request, response) => this.#serve(request, response))
    // A process may wait for its next call as long as it likes.
    this.#server.requestTimeout = 0
    this.#server.keepAliveTimeout = 0
    this.#server.unref()
  }

  /** Resolves with `host:port`. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, '127.0.0.1', () => {
        const { port } = this.#server.address() as AddressInfo
        resolve(`127.0.0.1:${port}`)
      })
    })
  }

  get isReady(): boolean {
    return this.#waiting !== undefined
  }

  /** Hands a call to the process, which must be waiting for one. */
  hand({ requestId, functionArn, payload, clientContext }: Invocation, deadlineMs: number): void {
    const response = this.#waiting
    this.#waiting = undefined
    response?.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': payload.length,
      'Lambda-Runtime-Aws-Request-Id': requestId,
      'Lambda-Runtime-Deadline-Ms': deadlineMs,
      'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      'Lambda-Runtime-Trace-Id': `Root=1-${requestId.slice(0, 8)}-${requestId.replaceAll('-', '').slice(8)};Sampled=0`,
      ...(clientContext !== undefined && {
        'Lambda-Runtime-Client-Context': Buffer.from(clientContext, 'base64').toString('latin1'),
      }),
    })
    response?.end(payload)
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '', headers } = request
    // Pages can reach this port, and have no business here.
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return answer(response, 403)
    if (method === 'GET' && url === `${base}/invocation/next`) {
      this.#waiting = response
      response.on('close', () => {
        if (this.#waiting === response) this.#waiting = undefined
      })
      return this.#onReady()
    }
    if (method !== 'POST') return answer(response, 404)
    if (url === `${base}/init/error`)
      return collect(request, response, (payload) => this.#onAnswer({ kind: 'init-error', payload }))
    const [, requestId = '', kind] =
      /^\/2018-06-01\/runtime\/invocation\/([\w-]+)\/(response|error)$/.exec(url) ?? []
    if (kind !== 'response' && kind !== 'error') return answer(response, 404)
    collect(request, response, (payload, isTooLarge) =>
      this.#onAnswer({ kind: isTooLarge ? 'error' : kind, requestId, payload }),
    )
  }
}

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  done: (body: Buffer, isTooLarge: boolean) => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= mostResponseBytes) chunks.push(chunk)
  })
  request.on('end', () => {
    if (bytes > mostResponseBytes) {
      answer(response, 413, {
        errorType: 'RequestEntityTooLarge',
        errorMessage: 'Exceeded maximum allowed payload.',
      })
      return done(tooLarge(bytes), true)
    }
    answer(response, 202, { status: 'OK' })
    done(Buffer.concat(chunks), false)
  })
  request.on('error', () => response.destroy())
}

function tooLarge(bytes: number): Buffer {
  const errorMessage = `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (6291556 bytes).`
  return Buffer.from(JSON.stringify({ errorType: 'Function.ResponseSizeTooLarge', errorMessage }))
}

function answer(response: ServerResponse, status: number, body: object = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
