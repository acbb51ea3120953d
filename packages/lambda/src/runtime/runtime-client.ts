import { Agent, request } from 'node:http'

/** A call as the runtime API hands it out. */
export interface Call {
  readonly requestId: string
  readonly functionArn: string
  readonly deadlineMs: number
  readonly clientContext: unknown
  readonly event: unknown
}

const base = '/2018-06-01/runtime'

/** A client of Lambda's runtime API, for functions in JavaScript. */
export class RuntimeClient {
  readonly #host: string
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })

  constructor(address: string) {
    const [host = '', port = ''] = address.split(':')
    this.#host = host
    this.#port = Number(port)
  }

  async next(): Promise<Call> {
    const { headers, body } = await this.#send('GET', `${base}/invocation/next`)
    const context = headers['lambda-runtime-client-context']
    return {
      requestId: String(headers['lambda-runtime-aws-request-id']),
      functionArn: String(headers['lambda-runtime-invoked-function-arn']),
      deadlineMs: Number(headers['lambda-runtime-deadline-ms']),
      clientContext: typeof context === 'string' ? JSON.parse(context) : undefined,
      event: JSON.parse(body.toString('utf8')),
    }
  }

  async response(requestId: string, result: unknown): Promise<void> {
    const text = JSON.stringify(result === undefined ? null : result)
    await this.#send('POST', `${base}/invocation/${requestId}/response`, text)
  }

  async error(requestId: string, error: unknown): Promise<void> {
    await this.#send('POST', `${base}/invocation/${requestId}/error`, described(error))
  }

  async initError(error: unknown): Promise<void> {
    await this.#send('POST', `${base}/init/error`, described(error))
  }

  #send(method: string, path: string, body?: string): Promise<Received> {
    return new Promise((resolve) => {
      const sent = request({ host: this.#host, port: this.#port, method, path, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
        response.on('error', gone)
      })
      sent.on('error', gone)
      sent.end(body)
    })
  }
}

interface Received {
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Without the server there is nobody to work for. */
function gone(): never {
  process.exit(1)
}

function described(error: unknown): string {
  if (!(error instanceof Error)) {
    return JSON.stringify({ errorType: typeof error, errorMessage: thrownText(error), trace: [] })
  }
  return JSON.stringify({
    errorType: error.name,
    errorMessage: error.message,
    trace: (error.stack ?? '').split('\n').slice(0, 40),
  })
}

function thrownText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}
