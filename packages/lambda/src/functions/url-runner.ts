import { failed, type Invocation, type Invoked, type Runner } from './runner.ts'

const mostBytes = 6 * 1024 * 1024 + 256 * 1024

/** Calls a function that another program runs: the Lambda runtime interface emulator, or `sam local start-lambda`. Both
 *  take the event as the body of a POST. */
export class UrlRunner implements Runner {
  readonly #url: string
  readonly #timeoutMs: number
  readonly #stop = new AbortController()

  constructor(url: string, timeoutMs: number) {
    this.#url = url
    this.#timeoutMs = timeoutMs
  }

  async invoke({ payload, requestId, clientContext }: Invocation): Promise<Invoked> {
    const late = AbortSignal.timeout(this.#timeoutMs)
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        body: new Uint8Array(payload),
        headers: {
          'Content-Type': 'application/json',
          ...(clientContext !== undefined && { 'X-Amz-Client-Context': clientContext }),
        },
        redirect: 'error',
        signal: AbortSignal.any([late, this.#stop.signal]),
      })
      const answer = Buffer.from(await response.arrayBuffer())
      if (answer.length > mostBytes) return failed('Function.ResponseSizeTooLarge', `${answer.length} bytes`)
      if (!response.ok) {
        return failed(
          'Runtime.HttpError',
          `${this.#url} answered ${response.status}: ${answer.toString('utf8', 0, 500)}`,
        )
      }
      const isFailure = response.headers.has('X-Amz-Function-Error') || isErrorOf(answer)
      return { payload: answer, functionError: isFailure ? 'Unhandled' : undefined, log: Buffer.alloc(0) }
    } catch (error) {
      if (late.aborted) {
        const seconds = (this.#timeoutMs / 1000).toFixed(2)
        return failed('Sandbox.Timedout', `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`)
      }
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
      return failed('Runtime.HttpError', `${this.#url} could not be called${cause}.`)
    }
  }

  close(): Promise<void> {
    this.#stop.abort()
    return Promise.resolve()
  }
}

/** The runtime interface emulator says in the body alone that a function has failed. */
function isErrorOf(answer: Buffer): boolean {
  if (answer.length > 256 * 1024 || !answer.includes('"errorType"')) return false
  try {
    const value: unknown = JSON.parse(answer.toString('utf8'))
    return typeof value === 'object' && value !== null && 'errorType' in value && 'errorMessage' in value
  } catch {
    return false
  }
}
