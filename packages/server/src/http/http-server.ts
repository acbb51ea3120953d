import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { WatchedCredentials } from '../tls/watched-credentials.ts'
import { Connection } from './connection.ts'
import type { ConnectionHost } from './connection.ts'
import { defaultHttpLimits } from './http-limits.ts'
import type { HttpLimits } from './http-limits.ts'
import type { HttpRefusal } from './http-refusal.ts'
import type { HttpHandler, HttpResponse } from './http-request.ts'
import { listenAt } from './listen-at.ts'
import { TlsListener } from './tls-listener.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  readonly handler: HttpHandler
  readonly refuse: (refusal: HttpRefusal, firstBytes?: Buffer) => HttpResponse
  readonly onFailure: (error: unknown) => void
  readonly limits?: Partial<HttpLimits> | undefined
  /** Whether requests have all their header fields, rather than those that this server knows. */
  readonly keepsFields?: boolean | undefined
  /** With this, the server only speaks TLS. The server closes it. */
  readonly tls?: ServedTls | undefined
}

export interface ServedTls {
  readonly credentials: WatchedCredentials
  readonly requiresClientCertificate: boolean
}

/** A lean HTTP/1.1 server over sockets; see `Connection` for how one client is served. */
export class HttpServer implements ConnectionHost {
  readonly limits: HttpLimits
  readonly handler: HttpHandler
  readonly keepsFields: boolean
  readonly refuse: (refusal: HttpRefusal) => HttpResponse
  readonly failed: (error: unknown) => void
  nowMs = performance.now()
  isClosing = false
  isOverloaded = false
  readonly #server: Server
  readonly #tls: ServedTls | undefined
  readonly #tlsListener: TlsListener | undefined
  readonly #connections = new Set<Connection>()
  readonly #sweep: NodeJS.Timeout
  #closed: Promise<void> | undefined
  #answering: Connection[] = []
  #heldTotalBytes = 0
  #isRelieving = false

  constructor(options: Omit<HttpServerOptions, 'host' | 'port'>) {
    this.limits = { ...defaultHttpLimits, ...options.limits }
    this.handler = options.handler
    this.keepsFields = options.keepsFields ?? false
    this.refuse = options.refuse
    this.failed = options.onFailure
    // Half-open: a client that has sent its last request and closed its side still gets its response.
    const tlsListener = (this.#tlsListener = this.#tlsListenerOf(options))
    this.#tls = options.tls
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      if (tlsListener === undefined) this.#enter(socket)
      else tlsListener.accept(socket)
    })
    this.#server.maxConnections =
      options.tls === undefined ? this.limits.connections : secureConnections(this.limits)
    const { idleMs, handshakeMs, headMs, requestMs, bodyMs, stallMs, lingerMs } = this.limits
    const shortestMs = Math.min(idleMs, handshakeMs, headMs, requestMs, bodyMs, stallMs, lingerMs)
    const sweepMs = Math.max(10, Math.min(1000, shortestMs / 2))
    this.#sweep = setInterval(() => this.#checkDeadlines(), sweepMs).unref()
  }

  /** How many clients are in the middle of a TLS handshake. */
  get handshakes(): number {
    return this.#tlsListener?.waiting ?? 0
  }

  get address(): AddressInfo {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the server is not listening')
    return address
  }

  /** What all connections together hold now. */
  get heldBytes(): number {
    return this.#heldTotalBytes
  }

  /** Rejects with the system's error (`code: 'EADDRINUSE'`, …) if the address is not available. */
  async listen(host: string, port: number): Promise<void> {
    try {
      await listenAt(this.#server, { host, port }, this.failed)
    } catch (error) {
      this.#stopWatching()
      throw error
    }
  }

  /** Accepts no more connections, finishes what is in progress for up to `drainMs`, then closes the rest. */
  close(drainMs: number): Promise<void> {
    this.#closed ??= this.#drain(drainMs)
    return this.#closed
  }

  /** Responses are written together after all requests of a turn of the event loop: a client with many connections is
   *  then woken once rather than for each, which is worth a fifth of the throughput under load. */
  flushSoon(connection: Connection): void {
    if (this.#answering.push(connection) === 1) setImmediate(() => this.#flushAll())
  }

  /** An excess is noticed here, and handled once everything that has arrived in this turn is read. */
  hold(bytes: number): void {
    this.#heldTotalBytes += bytes
    if (this.#heldTotalBytes <= this.limits.heldBytes) {
      this.isOverloaded = false
    } else if (!this.#isRelieving) {
      this.#isRelieving = true
      setImmediate(() => this.#relieve())
    }
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection)
  }

  #enter(socket: Socket): void {
    this.#connections.add(new Connection(socket, this))
  }

  #tlsListenerOf({ tls, refuse }: Pick<HttpServerOptions, 'tls' | 'refuse'>): TlsListener | undefined {
    if (tls === undefined) return undefined
    const { credentials, requiresClientCertificate } = tls
    const tlsListener = new TlsListener({
      credentials: credentials.current,
      requiresClientCertificate,
      limits: this.limits,
      enter: (socket) => this.#enter(socket),
      refuse,
    })
    credentials.onChange((changed) => tlsListener.replace(changed))
    return tlsListener
  }

  #stopWatching(): void {
    clearInterval(this.#sweep)
    this.#tls?.credentials.close()
  }

  #flushAll(): void {
    const due = this.#answering
    this.#answering = []
    for (const connection of due) connection.flush()
  }

  /** Clients that keep us waiting lose what is held for them, starting with those that hold the most for the longest:
   *  whoever sends a body and reads the response is done before its turn comes. If all of it is in progress, further
   *  requests are rejected until some of it is done. */
  #relieve(): void {
    this.#isRelieving = false
    const nowMs = performance.now()
    while (this.#heldTotalBytes > this.limits.heldBytes) {
      let worst: Connection | undefined
      let most = 0
      for (const connection of this.#connections) {
        const heldUp = connection.heldUp(nowMs)
        if (heldUp <= most) continue
        worst = connection
        most = heldUp
      }
      if (worst === undefined) {
        this.isOverloaded = true
        return
      }
      worst.giveUp()
    }
  }

  #drain(drainMs: number): Promise<void> {
    this.isClosing = true
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        for (const connection of this.#connections) connection.destroy()
      }, drainMs)
      this.#server.close(() => {
        clearTimeout(deadline)
        this.#stopWatching()
        resolve()
      })
      this.#tlsListener?.close()
      for (const connection of this.#connections) connection.closeGracefully()
    })
  }

  #checkDeadlines(): void {
    this.nowMs = performance.now()
    for (const connection of this.#connections) connection.checkDeadlines()
    this.#tlsListener?.checkDeadlines(this.nowMs)
  }
}

/** What OpenSSL and Node keep for a connection counts as well: 47 KB were measured for an idle one. */
function secureConnections({ connections, heldBytes }: HttpLimits): number {
  return Math.min(connections, Math.max(256, Math.floor(heldBytes / (64 * 1024))))
}

export async function listenHttp(options: HttpServerOptions): Promise<HttpServer> {
  const server = new HttpServer(options)
  await server.listen(options.host, options.port)
  return server
}
