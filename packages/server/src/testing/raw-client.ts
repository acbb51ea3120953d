import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls'

export interface RawResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A client for tests that sends the bytes it is told to, and reads whole responses. */
export class RawClient {
  readonly socket: Socket
  /** As it came: to join it at each arrival would copy large answers again and again. */
  #arrived: Buffer[] = []
  #arrivedBytes = 0
  #isEnded = false
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#arrived.push(chunk)
      this.#arrivedBytes += chunk.length
      this.#wake()
    })
    const ended = (): void => {
      this.#isEnded = true
      this.#wake()
    }
    socket.on('end', ended)
    socket.on('close', ended)
    socket.on('error', ended)
  }

  /** `tls` has it speak TLS, with these options. */
  static open(port: number, tls?: ConnectionOptions): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const place = { port, host: '127.0.0.1', noDelay: true }
      const socket = tls === undefined ? connect(place) : connectSecurely({ ...place, ...tls })
      socket.once('error', reject)
      socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
        socket.off('error', reject)
        resolve(new RawClient(socket))
      })
    })
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes)
  }

  async sendByteByByte(text: string): Promise<void> {
    for (const byte of Buffer.from(text)) {
      this.socket.write(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** The next response, interim ones included; `bodiless` for answers to HEAD. */
  async response(options: { readonly bodiless?: boolean } = {}): Promise<RawResponse> {
    for (let wanted = 1; ;) {
      const received = this.#arrivedBytes < wanted ? Buffer.alloc(0) : this.#received()
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd >= 0) {
        const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n')
        const headers = new Map(
          lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: /, '')]),
        )
        const bodyEnd = headEnd + 4 + (options.bodiless === true ? 0 : Number(headers.get('content-length') ?? 0))
        if (received.length >= bodyEnd) {
          const body = received.toString('utf8', headEnd + 4, bodyEnd)
          this.#arrived = [received.subarray(bodyEnd)]
          this.#arrivedBytes -= bodyEnd
          return { status: Number(statusLine.split(' ')[1]), headers, body }
        }
        wanted = bodyEnd
      }
      if (this.#isEnded)
        throw new Error(`the connection ended after ${JSON.stringify(this.#received().toString('latin1'))}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Waits until the server has closed its side; whatever came before that. */
  async rest(): Promise<string> {
    while (!this.#isEnded) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#received().toString('latin1')
  }

  #received(): Buffer {
    const [first, ...more] = this.#arrived
    const received = first !== undefined && more.length === 0 ? first : Buffer.concat(this.#arrived)
    this.#arrived = [received]
    return received
  }

  close(): void {
    this.socket.destroy()
  }
}
