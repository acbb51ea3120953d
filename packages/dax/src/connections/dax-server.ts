import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import {
  WatchedCredentials,
  listenAt,
  tlsDetailsOf,
  type Logger,
  type MetricFamily,
  type TlsOptions,
} from '@hashrange/server'
import type { DaxBackend } from '../dax-backend.ts'
import { DaxNode, defaultCaches, type DaxCaches } from '../operations/dax-node.ts'
import { DaxConnection, type ConnectionHost } from './dax-connection.ts'
import { defaultDaxLimits, type DaxLimits } from './dax-limits.ts'
import { daxMetrics } from './dax-metrics.ts'

export interface DaxOptions {
  /** Five minutes by default, as in DAX. */
  readonly recordTtlMs?: number | undefined
  readonly queryTtlMs?: number | undefined
  /** Of each cache. */
  readonly cacheBytes?: number | undefined
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
  /** Only speaks TLS (`daxs://`), with this certificate. */
  readonly tls?: TlsOptions | undefined
  readonly limits?: Partial<DaxLimits> | undefined
  readonly logger: Logger
}

/** Speaks DAX's protocol, and keeps what it reads. */
export class DaxServer implements ConnectionHost {
  readonly node: DaxNode
  readonly limits: DaxLimits
  readonly #logger: Logger
  readonly #server: NetServer
  readonly #credentials: WatchedCredentials | undefined
  readonly #connections = new Set<DaxConnection>()
  readonly #sweep: NodeJS.Timeout
  #heldBytes = 0

  private constructor(backend: DaxBackend, options: DaxOptions) {
    this.node = new DaxNode(backend, withDefaults(options))
    this.limits = { ...defaultDaxLimits, ...options.limits }
    this.#logger = options.logger
    const { tls } = options
    if (tls === undefined) {
      this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#enter(socket))
    } else {
      const credentials = new WatchedCredentials({ tls, logger: options.logger })
      const server = createTlsServer(
        { ...credentials.current.context, requestCert: tls.clientCa !== undefined, handshakeTimeout: 10_000 },
        (socket) => this.#enter(socket, socket),
      )
      server.on('tlsClientError', (_, socket) => socket.destroy())
      credentials.onChange((changed) => server.setSecureContext(changed.context))
      this.#credentials = credentials
      this.#server = server
    }
    this.#server.maxConnections = this.limits.connections
    const sweepMs = Math.max(10, Math.min(1000, this.limits.requestMs / 2))
    this.#sweep = setInterval(() => this.#checkDeadlines(), sweepMs).unref()
  }

  /** Rejects with the system's error (`EADDRINUSE`, …) if it cannot listen. */
  static async listen(backend: DaxBackend, options: DaxOptions): Promise<DaxServer> {
    const server = new DaxServer(backend, options)
    const { host, port } = options
    try {
      await listenAt(server.#server, { host, port }, (error) => server.onFailure(error))
    } catch (error) {
      server.#stopWatching()
      throw error
    }
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  metricFamilies(): Iterable<MetricFamily> {
    return daxMetrics(this.node, this.#connections.size)
  }

  hold(bytes: number): boolean {
    this.#heldBytes += bytes
    return bytes <= 0 || this.#heldBytes <= this.limits.heldBytes
  }

  forget(connection: DaxConnection): void {
    this.#connections.delete(connection)
  }

  onFailure(error: unknown): void {
    this.#logger.error('hashrange: a DAX request failed unexpectedly:', error)
  }

  /** Accepts no more connections, finishes what is in progress for up to `drainMs`, then closes the rest. */
  async close(drainMs = 10_000): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const connection of this.#connections) {
      if (connection.isBusy) connection.end()
      else connection.destroy()
    }
    const deadline = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy()
    }, drainMs)
    await closed
    clearTimeout(deadline)
    this.#stopWatching()
  }

  #enter(socket: Socket, secure?: TLSSocket): void {
    this.#connections.add(new DaxConnection(socket, this, secure && tlsDetailsOf(secure)))
  }

  #stopWatching(): void {
    clearInterval(this.#sweep)
    this.#credentials?.close()
  }

  #checkDeadlines(): void {
    const nowMs = performance.now()
    for (const connection of this.#connections) connection.checkDeadline(nowMs)
  }
}

function withDefaults({ recordTtlMs, queryTtlMs, cacheBytes }: DaxOptions): DaxCaches {
  return {
    recordTtlMs: recordTtlMs ?? defaultCaches.recordTtlMs,
    queryTtlMs: queryTtlMs ?? defaultCaches.queryTtlMs,
    cacheBytes: cacheBytes ?? defaultCaches.cacheBytes,
  }
}
