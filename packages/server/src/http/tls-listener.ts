import type { Socket } from 'node:net'
import { constants } from 'node:crypto'
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls'
import type { Credentials } from '../tls/read-credentials.ts'
import { beginResponse } from './begin-response.ts'
import type { HttpLimits } from './http-limits.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { HttpResponse } from './http-request.ts'

export interface TlsListenerOptions {
  readonly credentials: Credentials
  readonly requiresClientCertificate: boolean
  readonly limits: HttpLimits
  /** A client has identified itself, as far as required, and may send requests. */
  readonly enter: (socket: TLSSocket) => void
  readonly refuse: (refusal: HttpRefusal, firstBytes: Buffer) => HttpResponse
}

/** The first byte of a TLS connection says that a handshake follows. No HTTP method starts with it. */
const handshakeRecord = 0x16

/** Between arriving sockets and the connections that are served over TLS. A client has `handshakeMs` from its arrival
 *  until its handshake is done, however it spreads its bytes. A client that speaks plain HTTP here, or lacks a
 *  required certificate, gets an explanation in HTTP. */
export class TlsListener {
  readonly #options: TlsListenerOptions
  readonly #server: Server
  /** Clients that are still in the handshake, by address and port, and since when. */
  readonly #waiting = new Map<string, { readonly socket: Socket; readonly sinceMs: number }>()

  constructor(options: TlsListenerOptions) {
    const { credentials, requiresClientCertificate } = options
    this.#options = options
    this.#server = createServer({
      ...contextOf(credentials),
      ALPNProtocols: ['http/1.1'],
      requestCert: requiresClientCertificate,
      // It gets a sentence that explains what is wrong, which a broken handshake could not.
      rejectUnauthorized: false,
      // Our timeout counts from the arrival; this one restarts with every byte.
      handshakeTimeout: options.limits.handshakeMs,
    })
    this.#server.on('secureConnection', (socket) => this.#shook(socket))
    // A failed handshake is the client's problem: it has been sent an alert, and its socket is closed.
    this.#server.on('tlsClientError', (_, socket) => socket.destroy())
  }

  /** New connections get the new certificate. Sessions that were started with the old one are not resumed. */
  replace(credentials: Credentials): void {
    this.#server.setSecureContext(contextOf(credentials))
  }

  /** How many have not finished their handshake. */
  get waiting(): number {
    return this.#waiting.size
  }

  accept(socket: Socket): void {
    const key = keyOf(socket)
    this.#waiting.set(key, { socket, sinceMs: performance.now() })
    socket.once('close', () => this.#forget(key, socket))
    socket.on('error', () => socket.destroy())
    // Half-open clients that end without a word have nothing more to say.
    const ended = (): void => void socket.destroy()
    socket.once('end', ended)
    socket.once('data', (chunk: Buffer) => {
      socket.off('end', ended)
      socket.pause()
      if (chunk[0] !== handshakeRecord) return this.#turnAway(socket, plainHttp, chunk)
      socket.unshift(chunk)
      this.#server.emit('connection', socket)
    })
  }

  checkDeadlines(nowMs: number): void {
    const { handshakeMs } = this.#options.limits
    for (const { socket, sinceMs } of this.#waiting.values()) if (nowMs - sinceMs > handshakeMs) socket.destroy()
  }

  close(): void {
    for (const { socket } of this.#waiting.values()) socket.destroy()
  }

  #shook(socket: TLSSocket): void {
    const { requiresClientCertificate, enter } = this.#options
    if (!requiresClientCertificate || socket.authorized) {
      this.#waiting.delete(keyOf(socket))
      return enter(socket)
    }
    const refusal = hasCertificate(socket) ? unknownCertificate : missingCertificate
    socket.on('error', () => socket.destroy())
    socket.once('data', (chunk: Buffer) => this.#turnAway(socket, refusal, chunk))
  }

  /** The client also has to read this within the time that is left for the handshake. */
  #turnAway(socket: Socket, refusal: HttpRefusal, firstBytes: Buffer): void {
    const response = this.#options.refuse(refusal, firstBytes)
    const bytes = beginResponse(response, false, response.body.length)
    bytes.set(response.body, bytes.length - response.body.length)
    socket.on('end', () => socket.destroy())
    socket.on('data', () => undefined)
    socket.end(bytes)
    socket.resume()
  }

  #forget(key: string, socket: Socket): void {
    if (this.#waiting.get(key)?.socket === socket) this.#waiting.delete(key)
  }
}

/** With renegotiation, a client could make us compute again and again. */
function contextOf({ context }: Credentials): SecureContextOptions {
  return { ...context, honorCipherOrder: true, secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
}

/** No two open connections of a server share it, and the socket inside TLS has the same as the one around it. */
function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

function hasCertificate(socket: TLSSocket): boolean {
  return Object.keys(socket.getPeerCertificate() ?? {}).length > 0
}

const plainHttp = new HttpRefusal(
  400,
  'This port only accepts HTTPS, and the request was sent as plain HTTP. Use https:// in the address.',
)
const missingCertificate = new HttpRefusal(
  400,
  'This server only answers clients that have a certificate, and none was sent.',
)
const unknownCertificate = new HttpRefusal(
  400,
  'The certificate of the client is not valid, or its issuer is not one that this server accepts.',
)
