import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { HttpRequest, TlsDetails } from '@hashrange/server'
import { isIPv4 } from 'node:net'
import type { Socket } from 'node:net'
import { asServiceError, errorAnswer } from '../protocol/error-answer.ts'
import { success } from '../protocol/answers.ts'
import type { DaxNode } from '../operations/dax-node.ts'
import { answers } from './answer-method.ts'
import type { DaxLimits } from './dax-limits.ts'
import { RequestFrames, type RequestFrame } from './request-frames.ts'
import { readSignedRequest } from './signed-request.ts'

/** What a connection needs of its server. */
export interface ConnectionHost {
  readonly node: DaxNode
  readonly limits: DaxLimits
  /** Counts what connections hold; false if it is too much. */
  hold(bytes: number): boolean
  forget(connection: DaxConnection): void
  onFailure(error: unknown): void
}

/** The requests of one client, answered one after the other. */
export class DaxConnection {
  readonly #socket: Socket
  readonly #host: ConnectionHost
  readonly #frames = new RequestFrames()
  readonly #tls: TlsDetails | undefined
  #held = 0
  /** What was signed last, and whose tables that makes it. */
  #signed: HttpRequest | undefined
  #scope: Scope | undefined
  #isBusy = false
  #isEnding = false
  /** Since when the client is waited for, to finish its request or to read its answer. */
  #waitingSinceMs: number | undefined = performance.now()
  #isStalled = false

  constructor(socket: Socket, host: ConnectionHost, tls: TlsDetails | undefined) {
    this.#socket = socket
    this.#host = host
    this.#tls = tls
    socket.setKeepAlive(true, 60_000)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#closed())
    socket.on('end', () => this.end())
    socket.on('data', (bytes: Buffer) => void this.#receive(bytes))
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Closes it once its request is answered. */
  end(): void {
    this.#isEnding = true
    if (!this.#isBusy) this.#socket.end(() => this.#socket.destroy())
  }

  destroy(): void {
    this.#socket.destroy()
  }

  checkDeadline(nowMs: number): void {
    if (this.#waitingSinceMs === undefined) return
    const { requestMs, stallMs } = this.#host.limits
    if (nowMs - this.#waitingSinceMs > (this.#isStalled ? stallMs : requestMs)) this.#socket.destroy()
  }

  /** What comes while a request is under way stays in the socket. */
  async #receive(bytes: Buffer): Promise<void> {
    this.#socket.pause()
    this.#isBusy = true
    let isRead = false
    try {
      let at = 0
      while (at < bytes.length && !this.#socket.destroyed) {
        const { limits } = this.#host
        const mostBytes = this.#scope === undefined ? limits.strangerBytes : limits.requestBytes
        const taken = this.#frames.take(bytes, at, mostBytes)
        at = taken.at
        this.#hold()
        if (taken.frame === undefined) break
        this.#waitingSinceMs = undefined
        await this.#answer(taken.frame)
      }
      isRead = true
    } catch (error) {
      // What follows cannot be understood either: nobody knows where it begins.
      const answer = errorAnswer(asServiceError(error))
      this.#socket.end(this.#frames.wantsFrames ? framed(answer) : answer, () => this.#socket.destroy())
      if (!(error instanceof ServiceError)) this.#host.onFailure(error)
    }
    this.#isBusy = false
    if (!isRead || this.#socket.destroyed) return
    if (this.#isEnding) return this.end()
    this.#waitingSinceMs = this.#frames.hasBegun ? (this.#waitingSinceMs ?? performance.now()) : undefined
    this.#socket.resume()
  }

  #hold(): void {
    const change = this.#frames.heldBytes - this.#held
    this.#held = this.#frames.heldBytes
    if (!this.#host.hold(change)) this.#socket.destroy()
  }

  async #answer(frame: RequestFrame): Promise<void> {
    // Clients wait for no answer to it: what is wrong with it, they learn from the next one.
    if (frame.method === 'authorizeConnection') return this.#authorize(frame)
    const { node } = this.#host
    node.requests.set(frame.method, (node.requests.get(frame.method) ?? 0) + 1)
    let answer: Buffer
    try {
      const scope = await this.#authenticated()
      answer =
        frame.method === 'endpoints' ? this.#endpoints() : await answers[frame.method](node, scope, frame.reader)
    } catch (error) {
      if (!(error instanceof ServiceError)) this.#host.onFailure(error)
      answer = errorAnswer(asServiceError(error))
    }
    await this.#send(answer)
  }

  async #authorize({ reader }: RequestFrame): Promise<void> {
    this.#scope = undefined
    this.#signed = readSignedRequest(reader, { remoteAddress: this.#socket.remoteAddress, tls: this.#tls })
    await this.#authenticated().catch(() => undefined)
  }

  /** On a closed server, a key that was deleted or has expired no longer counts. */
  async #authenticated(): Promise<Scope> {
    const { backend } = this.#host.node
    if (this.#signed === undefined)
      throw new ServiceError('MissingAuthenticationTokenException', 'The connection is not authenticated.')
    if (this.#scope !== undefined && backend.admit === undefined) return this.#scope
    this.#scope = await backend.authenticate(this.#signed, 'dax')
    return this.#scope
  }

  /** This server is the whole cluster, at the address by which it was reached. */
  #endpoints(): Buffer {
    const { localAddress = '127.0.0.1', localPort = 0 } = this.#socket
    const writer = success().list(1).map(7)
    writer.integer(0).integer(1).integer(1).text('localhost').integer(2).bytes(addressBytes(localAddress))
    writer.integer(3).integer(localPort).integer(4).integer(1).integer(5).text('local').integer(6).integer(1)
    return writer.take()
  }

  async #send(unframed: Buffer): Promise<void> {
    const answer = this.#frames.wantsFrames ? framed(unframed) : unframed
    if (this.#socket.destroyed || this.#socket.write(answer)) return
    this.#waitingSinceMs = performance.now()
    this.#isStalled = true
    const isHeld = this.#host.hold(answer.length)
    if (!isHeld) this.#socket.destroy()
    await new Promise<void>((resolve) => {
      if (this.#socket.destroyed) return resolve()
      const done = (): void => {
        this.#socket.off('drain', done).off('close', done)
        resolve()
      }
      this.#socket.on('drain', done).on('close', done)
    })
    this.#host.hold(-answer.length)
    this.#isStalled = false
    this.#waitingSinceMs = undefined
  }

  #closed(): void {
    this.#host.hold(-this.#held)
    this.#held = 0
    this.#host.forget(this)
  }
}

const frameHeadBytes = 8
const endOfMessage = 1

/** A whole answer in one frame: its length with this head, and that nothing more follows. */
function framed(answer: Buffer): Buffer {
  const frame = Buffer.alloc(frameHeadBytes + answer.length)
  frame.writeUInt32BE(frame.length, 0)
  frame[4] = endOfMessage
  frame.set(answer, frameHeadBytes)
  return frame
}

function addressBytes(address: string): Buffer {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '')
  if (isIPv4(plain)) return Buffer.from(plain.split('.').map(Number))
  const [head = '', tail] = plain.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const middle = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return Buffer.from([...before, ...middle, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
