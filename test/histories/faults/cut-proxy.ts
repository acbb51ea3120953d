import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands between a client and a server, and can do what networks do: cut connections, in the middle of an answer too, and hold
 *  back what was sent, to deliver it when nobody waits for it any more. */
export class CutProxy {
  readonly #targetPort: () => number
  readonly #pairs = new Set<Pair>()
  #server: Server
  #port = 0
  #isStalled = false

  private constructor(targetPort: () => number) {
    this.#targetPort = targetPort
    this.#server = this.#newServer()
  }

  static async open(targetPort: () => number): Promise<CutProxy> {
    const proxy = new CutProxy(targetPort)
    await proxy.accept()
    return proxy
  }

  get port(): number {
    return this.#port
  }

  /** Takes connections, at the same port each time. */
  async accept(): Promise<void> {
    if (this.#server.listening) return
    this.#server = this.#newServer()
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Takes no more connections: whoever tries knows that nothing was sent. */
  refuse(): void {
    this.#server.close()
  }

  /** Cuts all connections. */
  cut(): void {
    for (const pair of this.#pairs) pair.cut()
  }

  /** Cuts each connection in the middle of its next answer. */
  cutInAnswers(): void {
    for (const pair of this.#pairs) pair.cutInAnswer()
  }

  /** Holds everything back for a while. What clients sent is delivered then, even if they have gone. */
  async stall(milliseconds: number): Promise<void> {
    this.#isStalled = true
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    this.#isStalled = false
    for (const pair of this.#pairs) pair.flush()
  }

  close(): void {
    this.refuse()
    this.cut()
  }

  #newServer(): Server {
    return createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const target = connect({ host: '127.0.0.1', port: this.#targetPort(), noDelay: true })
      const pair = new Pair(client, target, () => this.#isStalled)
      this.#pairs.add(pair)
      target.once('close', () => this.#pairs.delete(pair))
    })
  }
}

class Pair {
  readonly #client: Socket
  readonly #target: Socket
  readonly #isStalled: () => boolean
  #held: (() => void)[] = []
  #cutsNextAnswer = false

  constructor(client: Socket, target: Socket, isStalled: () => boolean) {
    this.#client = client
    this.#target = target
    this.#isStalled = isStalled
    client.on('data', (bytes) => this.#deliver(() => forward(bytes, client, target)))
    target.on('data', (bytes) => this.#deliver(() => this.#answer(bytes)))
    client.once('close', () => this.#deliver(() => target.end()))
    client.once('end', () => this.#deliver(() => target.end()))
    target.once('close', () => this.#deliver(() => client.destroy()))
    // Both ends are told of by `close`.
    client.on('error', () => undefined)
    target.on('error', () => undefined)
  }

  cut(): void {
    this.#client.resetAndDestroy()
    this.#target.resetAndDestroy()
  }

  cutInAnswer(): void {
    this.#cutsNextAnswer = true
  }

  flush(): void {
    const held = this.#held
    this.#held = []
    for (const deliver of held) deliver()
  }

  #deliver(deliver: () => void): void {
    if (this.#isStalled()) this.#held.push(deliver)
    else deliver()
  }

  #answer(bytes: Buffer): void {
    if (!this.#cutsNextAnswer) {
      forward(bytes, this.#target, this.#client)
      return
    }
    // A reset would take back what was sent before it.
    this.#client.end(bytes.subarray(0, Math.floor(bytes.length / 2)))
    this.#target.resetAndDestroy()
  }
}

/** Waits where the other side does not keep up. */
function forward(bytes: Buffer, from: Socket, to: Socket): void {
  if (to.destroyed || to.write(bytes)) return
  from.pause()
  to.once('drain', () => from.resume())
}
