import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A wire between two servers that can be cut, or go dead without anyone noticing. */
export class Wire {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target = 0
  #state: 'intact' | 'cut' | 'dead' = 'intact'

  private constructor() {
    this.#server = createServer((near) => this.#join(near))
  }

  static async open(): Promise<Wire> {
    const wire = new Wire()
    wire.#server.listen(0, '127.0.0.1')
    await once(wire.#server, 'listening')
    return wire
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Where it leads. A server that is started again has another port. */
  leadTo(endpoint: string): void {
    this.#target = Number(new URL(endpoint).port)
  }

  /** Connections end, and no new ones come about. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Nothing comes through any more. */
  die(): void {
    this.#state = 'dead'
  }

  mend(): void {
    if (this.#state === 'dead') for (const socket of this.#sockets) socket.destroy()
    this.#state = 'intact'
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket): void {
    if (this.#state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(this.#target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (bytes) => {
        if (this.#state === 'intact') to.write(bytes)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
