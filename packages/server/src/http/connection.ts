import type { Socket } from 'node:net'
import type { HttpLimits } from './http-limits.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { HttpHandler, HttpResponse, ResponseSink } from './http-request.ts'
import type { ParsedRequest } from './request-parser.ts'
import { RequestParser } from './request-parser.ts'
import { beginResponse } from './begin-response.ts'

/** Bodies up to this size are copied behind their head, so that a response is one write. Copying a larger one would
 *  cost more than it saves, in memory and garbage collection. */
const joinedBodyBytes = 4 * 1024
/** A connection that holds more than this is timed to the millisecond. */
const muchBytes = 64 * 1024
const continueBytes = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')

/** What a connection needs of the server it belongs to. */
export interface ConnectionHost {
  readonly limits: HttpLimits
  readonly handler: HttpHandler
  /** Whether requests have all their header fields. */
  readonly keepsFields: boolean
  /** The response to bytes that are not a request. */
  readonly refuse: (refusal: HttpRefusal) => HttpResponse
  /** A clock with a precision of about a second, so that no request needs to ask for the time. */
  readonly nowMs: number
  /** Whether the server is shutting down. */
  readonly isClosing: boolean
  /** Whether requests in progress use all the memory that requests may have. */
  readonly isOverloaded: boolean
  /** Counts what the connections hold together. */
  hold(bytes: number): void
  /** Calls `flush` once everything that has arrived with this request is read. */
  flushSoon(connection: Connection): void
  forget(connection: Connection): void
  /** A handler failed; handlers are expected to answer their own failures. */
  failed(error: unknown): void
}

/** A pending response, in the order of the requests. */
interface Slot {
  response: HttpResponse | 'continue' | undefined
  readonly isHead: boolean
  readonly keepAlive: boolean
  /** Of the request's body, and then of the answer's. */
  bodyBytes: number
}

/** One client's socket: requests are handled as they arrive, and answered in order. Reading stops while too many
 *  requests are in progress or while the client does not read its responses. */
export class Connection {
  readonly #socket: Socket
  readonly #host: ConnectionHost
  #parser: RequestParser
  readonly #slots: Slot[] = []
  /** No further request is read: the client or we have asked to close, or its bytes were invalid. */
  #isLast = false
  #isInputEnded = false
  #isSocketFull = false
  #isPaused = false
  /** When everything is sent and the client's further bytes are dropped. */
  #lingeringSinceMs: number | undefined
  #activeMs: number
  #requestSinceMs: number
  /** Of the requests in progress, and of the responses that wait for their turn. */
  #slotBytes = 0
  /** Of the responses that were sent but not received. */
  #unsentBytes = 0
  #countedBytes = 0
  #holdsMuchSinceMs = 0
  /** The listeners of a response that has no end yet. */
  #stream: { drained: () => void; closed: () => void } | undefined

  constructor(socket: Socket, host: ConnectionHost) {
    this.#socket = socket
    this.#host = host
    this.#parser = new RequestParser(host.limits, host.keepsFields)
    this.#activeMs = host.nowMs
    this.#requestSinceMs = host.nowMs
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.#drained())
    socket.on('end', () => this.#inputEnded())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#closed())
  }

  /** What is held for a client that does not continue, and for how long already: bytes times milliseconds. Undefined
   *  if it is our turn. */
  heldUp(nowMs: number): number {
    const isReadFrom = this.#parser.isMidRequest && !this.#isPaused && !this.#isLast
    if (!this.#isSocketFull && !isReadFrom) return 0
    const coarseMs = this.#isSocketFull ? this.#activeMs : this.#requestSinceMs
    return this.#countedBytes * (nowMs - (this.#countedBytes > muchBytes ? this.#holdsMuchSinceMs : coarseMs) + 1)
  }

  /** Frees what is held for a client that does not continue. */
  giveUp(): void {
    if (this.#isSocketFull) {
      this.destroy()
      return this.#count()
    }
    this.#parser = new RequestParser(this.#host.limits, this.#host.keepsFields)
    this.#refuse(overloaded())
  }

  /** Closes at once if nothing is in progress, otherwise after the last response. */
  closeGracefully(): void {
    if (this.#stream !== undefined) this.#endStream()
    else if (this.#isIdle) this.#socket.destroySoon()
  }

  /** Writes the responses that are ready and whose turn it is. */
  flush(): void {
    while (!this.#isSocketFull) {
      const slot = this.#slots[0]
      if (slot?.response === undefined) break
      this.#slots.shift()
      this.#slotBytes -= slot.bodyBytes
      if (slot.response === 'continue') {
        this.#write(continueBytes)
        continue
      }
      const { stream } = slot.response
      const isFinal = !slot.keepAlive || stream !== undefined || (this.#host.isClosing && this.#isIdle)
      this.#respond(slot.response, slot.isHead, !isFinal)
      if (stream !== undefined && !slot.isHead && !this.#host.isClosing) {
        this.#isLast = true
        stream(this.#openStream())
        break
      }
      if (isFinal) {
        this.#finish()
        break
      }
    }
    if (this.#isPaused) this.#advance()
    if (this.#isInputEnded && this.#slots.length === 0 && this.#stream === undefined) this.#finish()
    this.#count()
  }

  #openStream(): ResponseSink {
    const listeners = { drained: (): void => undefined, closed: (): void => undefined }
    this.#stream = listeners
    return {
      write: (bytes) => {
        if (this.#stream !== listeners) return false
        this.#write(bytes)
        this.#count()
        return !this.#isSocketFull
      },
      onDrain: (listener) => (listeners.drained = listener),
      onClose: (listener) => (listeners.closed = listener),
      end: () => {
        if (this.#stream === listeners) this.#endStream()
      },
    }
  }

  #endStream(): void {
    const stream = this.#stream
    this.#stream = undefined
    stream?.closed()
    if (!this.#socket.destroyed) this.#finish()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Called about once a second: ends what has taken too long. */
  checkDeadlines(): void {
    const { limits, nowMs } = this.#host
    if (this.#lingeringSinceMs !== undefined) {
      if (nowMs - this.#lingeringSinceMs > limits.lingerMs) this.destroy()
    } else if (this.#isSocketFull) {
      if (nowMs - this.#activeMs > limits.stallMs) this.destroy()
    } else if (this.#stream !== undefined) {
      return
    } else if (this.#isIdle) {
      if (nowMs - this.#activeMs > limits.idleMs) this.#socket.destroySoon()
    } else if (this.#parser.isMidRequest && !this.#isPaused && !this.#isLast) {
      if (nowMs - this.#requestSinceMs > this.#timeToArriveMs())
        this.#refuse(new HttpRefusal(408, 'The request took too long to arrive.'))
    }
  }

  /** A client that sends little by little would hold a connection, and what has arrived, for as long as it likes. */
  #timeToArriveMs(): number {
    const { headMs, requestMs, bodyMs, slowestBytesPerSecond } = this.#host.limits
    if (this.#parser.isInHead) return headMs
    return Math.min(requestMs, bodyMs + (this.#parser.receivedBytes * 1000) / slowestBytesPerSecond)
  }

  get #isIdle(): boolean {
    return this.#slots.length === 0 && !this.#parser.isMidRequest
  }

  #receive(chunk: Buffer): void {
    if (this.#isLast) return
    this.#activeMs = this.#host.nowMs
    if (!this.#parser.isMidRequest) this.#requestSinceMs = this.#activeMs
    this.#parser.push(chunk)
    this.#advance()
    this.#count()
  }

  #count(): void {
    const bytes = this.#socket.destroyed ? 0 : this.#parser.heldBytes + this.#slotBytes + this.#unsentBytes
    if (bytes === this.#countedBytes) return
    const more = bytes - this.#countedBytes
    if (bytes > muchBytes && this.#countedBytes <= muchBytes) this.#holdsMuchSinceMs = performance.now()
    this.#countedBytes = bytes
    this.#host.hold(more)
  }

  /** Starts every request that has arrived completely, as far as the limits allow. */
  #advance(): void {
    while (!this.#isLast) {
      if (this.#isSocketFull || this.#slots.length >= this.#host.limits.pipelinedRequests) return this.#pause()
      let request: ParsedRequest | undefined
      try {
        request = this.#parser.next()
      } catch (error) {
        if (!(error instanceof HttpRefusal)) throw error
        return this.#refuse(error)
      }
      if (request === undefined) break
      this.#start(request)
    }
    if (this.#parser.takeContinueAsked()) {
      this.#slots.push({ response: 'continue', isHead: false, keepAlive: true, bodyBytes: 0 })
      this.flush()
    }
    this.#resume()
  }

  #start(request: ParsedRequest): void {
    const { keepAlive, body } = request
    const isHead = request.method === 'HEAD'
    const slot: Slot = { response: undefined, isHead, keepAlive, bodyBytes: body.length }
    this.#slotBytes += body.length
    if (!keepAlive) this.#isLast = true
    this.#requestSinceMs = this.#host.nowMs
    this.#slots.push(slot)
    if (this.#host.isOverloaded) return this.#answer(slot, this.#host.refuse(overloaded()))
    request.socket = this.#socket
    try {
      const response = this.#host.handler(request)
      if (!(response instanceof Promise)) return this.#answer(slot, response)
      response.then(
        (late) => this.#answer(slot, late),
        (error: unknown) => this.#fail(error),
      )
    } catch (error) {
      this.#fail(error)
    }
  }

  #answer(slot: Slot, response: HttpResponse): void {
    slot.response = response
    this.#slotBytes += response.body.length - slot.bodyBytes
    slot.bodyBytes = response.body.length
    if (this.#slots[0] === slot) this.#host.flushSoon(this)
    else this.#count()
  }

  #fail(error: unknown): void {
    this.#host.failed(error)
    this.destroy()
  }

  #refuse(refusal: HttpRefusal): void {
    this.#isLast = true
    this.#slots.push({ response: this.#host.refuse(refusal), isHead: false, keepAlive: false, bodyBytes: 0 })
    this.flush()
  }

  #respond(response: HttpResponse, isHead: boolean, keepAlive: boolean): void {
    const { body } = response
    const sentBytes = isHead ? 0 : body.length
    if (sentBytes <= joinedBodyBytes) {
      const bytes = beginResponse(response, keepAlive, sentBytes)
      if (sentBytes > 0) bytes.set(body, bytes.length - sentBytes)
      this.#write(bytes)
    } else {
      this.#socket.cork()
      this.#write(beginResponse(response, keepAlive, 0))
      this.#write(body)
      this.#socket.uncork()
    }
  }

  #write(bytes: Uint8Array): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    if (this.#socket.write(bytes)) return
    this.#isSocketFull = true
    this.#unsentBytes = this.#socket.writableLength
  }

  #drained(): void {
    this.#isSocketFull = false
    this.#unsentBytes = 0
    this.#activeMs = this.#host.nowMs
    if (this.#lingeringSinceMs !== undefined) return this.#count()
    if (this.#stream !== undefined) {
      this.#count()
      return this.#stream.drained()
    }
    this.flush()
  }

  #closed(): void {
    const stream = this.#stream
    this.#stream = undefined
    stream?.closed()
    this.#count()
    this.#host.forget(this)
  }

  /** The client sends no more; it may still wait for responses. */
  #inputEnded(): void {
    this.#isInputEnded = true
    if (this.#stream !== undefined) return this.#endStream()
    if (this.#slots.length === 0) this.#finish()
  }

  /** Closes the connection. What the client still sends is read and dropped for a while: closing with unread bytes
   *  would reset the connection, and the client could lose the response. */
  #finish(): void {
    if (this.#lingeringSinceMs !== undefined) return
    this.#isLast = true
    this.#lingeringSinceMs = this.#host.nowMs
    this.#isPaused = false
    this.#socket.end()
    this.#socket.resume()
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#socket.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.resume()
  }
}

/** Clients of the service try again after this. */
function overloaded(): HttpRefusal {
  return new HttpRefusal(503, 'The service is currently unavailable or busy.')
}
