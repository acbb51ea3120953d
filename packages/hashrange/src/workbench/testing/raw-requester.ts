import { request } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  /** The body, where it is JSON. */
  readonly json: unknown
}

/** Sends the header fields that it is told to, a `Host` of another machine among them, and the path as it stands. */
export class RawRequester {
  readonly port: number
  readonly #token: string

  constructor(port: number, token: string) {
    this.port = port
    this.#token = token
  }

  get(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
    return this.send('GET', path, headers)
  }

  /** As the page asks. */
  api(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<RawAnswer> {
    return this.send('POST', `/_workbench/api/${path}`, { ...this.pageHeaders, ...headers }, JSON.stringify(body))
  }

  /** What the page sends with each request. */
  get pageHeaders(): Record<string, string> {
    return {
      'Content-Type': 'application/json',
      'x-hashrange-workbench': this.#token,
      Origin: `http://127.0.0.1:${this.port}`,
      'Sec-Fetch-Site': 'same-origin',
    }
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { port: this.port, host: '127.0.0.1', method, path, headers, agent: false },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const whole = Buffer.concat(chunks)
            const fields = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
            resolve({ status: response.statusCode ?? 0, headers: new Map(fields), body: whole, json: parse(whole) })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
