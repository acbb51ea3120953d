import { connect, type Socket } from 'node:net'

/** What the server said: anything with a status, refusals too. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** No answer came. Unless `wasSent` is false, the request may have been carried out, or may still be. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly wasSent: boolean

  constructor(message: string, wasSent: boolean) {
    super(message)
    this.wasSent = wasSent
  }
}

export interface ApiConnectionOptions {
  readonly port: number
  readonly timeoutMs: number
  /** us-east-1 unless told. */
  readonly region?: string
}

/** One keep-alive connection with one request under way at a time. It connects when it is first needed, and again after it was
 *  lost. Written on a bare socket: Node's own clients cost more than the server does, and hide when a request was sent. */
export class ApiConnection {
  readonly #options: ApiConnectionOptions
  #socket: Socket | undefined
  #isConnected = false
  #received: Buffer | undefined
  #waiting: Waiting | undefined

  constructor(options: ApiConnectionOptions) {
    this.#options = options
  }

  /** `target` is the value of X-Amz-Target. Rejects with NoAnswer only. */
  call(target: string, body: string): Promise<ApiAnswer> {
    if (this.#waiting !== undefined) throw new Error('a connection has one request under way at a time')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#lose('timed out'), this.#options.timeoutMs)
      this.#waiting = { resolve, reject, timer }
      const socket = (this.#socket ??= this.#connect())
      const bytes = `${requestHead(this.#options, target, Buffer.byteLength(body))}${body}`
      // A socket that is not connected yet would keep the bytes, and nobody would know whether they had left.
      if (this.#isConnected) socket.write(bytes)
      else socket.once('connect', () => socket.write(bytes))
    })
  }

  close(): void {
    this.#lose('closed')
  }

  #connect(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#options.port, noDelay: true })
    socket.once('connect', () => {
      this.#isConnected = true
    })
    const isCurrent = (): boolean => this.#socket === socket
    socket.on('data', (bytes) => isCurrent() && this.#receive(bytes))
    socket.on('error', (error) => isCurrent() && this.#lose(error.message))
    socket.on('close', () => isCurrent() && this.#lose('the connection was closed'))
    return socket
  }

  #receive(bytes: Buffer): void {
    const received = this.#received === undefined ? bytes : Buffer.concat([this.#received, bytes])
    const answer = readAnswer(received)
    if (answer === undefined) {
      this.#received = received
      return
    }
    this.#received = undefined
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    waiting.resolve(answer)
  }

  #lose(why: string): void {
    const socket = this.#socket
    const wasSent = this.#isConnected
    this.#socket = undefined
    this.#isConnected = false
    this.#received = undefined
    socket?.destroy()
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) return
    clearTimeout(waiting.timer)
    waiting.reject(new NoAnswer(why, wasSent))
  }
}

interface Waiting {
  readonly resolve: (answer: ApiAnswer) => void
  readonly reject: (error: NoAnswer) => void
  readonly timer: NodeJS.Timeout
}

/** The signature is made up: servers here do not verify it. */
function requestHead(
  { port, region = 'us-east-1' }: ApiConnectionOptions,
  target: string,
  bodyBytes: number,
): string {
  return (
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-amz-json-1.0\r\n` +
    `Content-Length: ${bodyBytes}\r\nX-Amz-Target: ${target}\r\n${credentialsIn(region)}\r\n`
  )
}

const credentialsIn = (region: string): string =>
  `X-Amz-Date: 20261115T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20261115/${region}/dynamodb/` +
  `aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=${'0123456789abcdef'.repeat(4)}\r\n`

/** Nothing while the answer is not there whole. */
function readAnswer(received: Buffer): ApiAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const length = /content-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  const bodyStart = headEnd + 4
  if (received.length < bodyStart + Number(length)) return undefined
  const text = received.toString('utf8', bodyStart, bodyStart + Number(length))
  const status = Number(head.slice(9, 12))
  // What a server of ours says is JSON; what answers in its place need not be.
  return { status, body: head.includes('json') ? JSON.parse(text) : text }
}
