import type { Socket } from 'node:net'
import { ByteWindow } from './byte-window.ts'
import { bodyTooLarge, ChunkedBody } from './chunked-body.ts'
import { lineBytes } from './header-bytes.ts'
import type { HttpLimits } from './http-limits.ts'
import { badRequest, HttpRefusal } from './http-refusal.ts'
import type { HttpRequest } from './http-request.ts'
import { RequestHead } from './request-head.ts'

const carriageReturn = 0x0d
const lineFeed = 0x0a
const mostEmptyLines = 8

export interface ParsedRequest extends HttpRequest {
  /** Whether the client may send another request on this connection. */
  readonly keepAlive: boolean
  socket: Socket | undefined
}

type State = 'request-line' | 'fields' | 'body' | 'chunk-size' | 'chunk-data' | 'trailers'

/** Parses HTTP/1.1 requests from a connection's bytes, however they are split into packets. Strict: ambiguous input
 *  (two lengths, bare line feeds, folded fields) is rejected by throwing an HttpRefusal, after which the parser
 *  cannot be used any more. No byte is looked at more than a constant number of times. */
export class RequestParser {
  readonly #limits: HttpLimits
  readonly #window = new ByteWindow()
  #state: State = 'request-line'
  #head = new RequestHead()
  #headBytes = 0
  #fieldCount = 0
  #bodyBytes = 0
  #chunked: ChunkedBody | undefined
  #emptyLines = 0
  #lineStart = 0
  #lineEnd = 0
  /** How many bytes of the unfinished line have already been looked at. */
  #scannedBytes = 0
  #continueAsked = false

  readonly #keepsFields: boolean

  /** `keepsFields` says whether requests have all their header fields, rather than those that this server knows. */
  constructor(limits: HttpLimits, keepsFields = false) {
    this.#limits = limits
    this.#keepsFields = keepsFields
  }

  push(chunk: Buffer): void {
    this.#window.push(chunk)
  }

  /** Whether part of a request has arrived. */
  get isMidRequest(): boolean {
    return this.#state !== 'request-line' || this.#window.length > 0
  }

  get isInHead(): boolean {
    return this.#state === 'request-line' || this.#state === 'fields'
  }

  /** The memory that is kept for what has arrived. */
  get heldBytes(): number {
    return this.#window.heldBytes + (this.#chunked?.heldBytes ?? 0)
  }

  /** How much of the body has arrived. */
  get receivedBytes(): number {
    return this.isInHead ? 0 : this.#window.length + (this.#chunked?.receivedBytes ?? 0)
  }

  /** True once for a request whose client waits for permission to send the body. */
  takeContinueAsked(): boolean {
    const asked = this.#continueAsked
    this.#continueAsked = false
    return asked
  }

  /** The next whole request; undefined until more bytes arrive. */
  next(): ParsedRequest | undefined {
    for (;;) {
      switch (this.#state) {
        case 'request-line':
          if (!this.#takeLine(this.#limits.requestLineBytes)) return undefined
          this.#headBytes = 0
          // Some clients send an empty line after a body (RFC 9112, 2.2). No client sends only those.
          if (this.#lineEnd === this.#lineStart) {
            if (++this.#emptyLines > mostEmptyLines) throw badRequest('The request line is missing.')
            break
          }
          if (this.#keepsFields) this.#head.fields = []
          this.#head.readRequestLine(this.#window.bytes, this.#lineStart, this.#lineEnd)
          // Requests of DynamoDB go to the root. Others, such as Lambda's, have parameters in fields of their own.
          if (this.#head.target !== '/') this.#head.fields ??= []
          this.#state = 'fields'
          break
        case 'fields':
          if (!this.#takeLine(this.#limits.headBytes)) return undefined
          if (this.#lineEnd > this.#lineStart) this.#readField()
          else this.#beginBody()
          break
        case 'body':
          if (this.#window.length < this.#bodyBytes) return undefined
          if (this.#bodyBytes > 0) this.#head.body = this.#window.take(this.#bodyBytes)
          return this.#finish()
        case 'chunk-size': {
          if (!this.#takeLine(this.#limits.headBytes)) return undefined
          const isLast = this.#chunks().readSizeLine(this.#window.bytes.subarray(this.#lineStart, this.#lineEnd))
          this.#headBytes = 0
          this.#state = isLast ? 'trailers' : 'chunk-data'
          break
        }
        case 'chunk-data':
          if (!this.#chunks().readData(this.#window)) return undefined
          this.#state = 'chunk-size'
          break
        case 'trailers':
          if (!this.#takeLine(this.#limits.headBytes)) return undefined
          if (this.#lineEnd > this.#lineStart) break // Trailers say nothing that this server reads.
          this.#head.body = this.#chunks().finish()
          return this.#finish()
      }
    }
  }

  #readField(): void {
    this.#fieldCount++
    if (this.#fieldCount > this.#limits.headerFields)
      throw new HttpRefusal(431, 'The request has too many header fields.')
    this.#head.readField(this.#window.bytes, this.#lineStart, this.#lineEnd)
  }

  /** Finds the end of a line and moves past it; false if it has not arrived yet. HTTP has its own statuses for a head
   *  that is too long, but the service answers 400. */
  #takeLine(limitBytes: number): boolean {
    const { bytes, start, end } = this.#window
    let index = start + this.#scannedBytes
    while (index < end && bytes[index] !== carriageReturn) {
      if (lineBytes[bytes[index] ?? 0] === 0)
        throw badRequest('The request head contains a character that is not allowed.')
      index++
    }
    if (this.#headBytes + index - start > limitBytes) throw badRequest('The request head is too long.')
    if (index + 1 >= end) {
      this.#scannedBytes = index - start
      return false
    }
    if (bytes[index + 1] !== lineFeed) throw badRequest('A line of the request head does not end in CR LF.')
    this.#scannedBytes = 0
    this.#headBytes += index + 2 - start
    this.#lineStart = start
    this.#lineEnd = index
    this.#window.start = index + 2
    return true
  }

  /** The head is complete: decides how the body is framed. */
  #beginBody(): void {
    const head = this.#head
    if (head.host === undefined && !head.isHttp10) throw badRequest('The Host header field is missing.')
    this.#headBytes = 0
    if (head.transferEncoding !== undefined) this.#beginChunkedBody(head)
    else this.#beginFixedBody(head)
    if (head.expect === undefined || head.isHttp10) return
    if (head.expect.toLowerCase() !== '100-continue')
      throw new HttpRefusal(417, 'The only supported expectation is 100-continue.')
    this.#continueAsked = this.#window.length === 0 && (this.#state === 'chunk-size' || this.#bodyBytes > 0)
  }

  #beginChunkedBody(head: RequestHead): void {
    if (head.contentLength !== undefined)
      throw badRequest('Content-Length and Transfer-Encoding cannot be sent together.')
    if (head.isHttp10) throw badRequest('HTTP/1.0 has no Transfer-Encoding.')
    if (head.transferEncoding?.toLowerCase() !== 'chunked')
      throw new HttpRefusal(501, 'The only supported transfer coding is chunked.')
    this.#chunked = new ChunkedBody(this.#limits.bodyBytes)
    this.#state = 'chunk-size'
  }

  #beginFixedBody(head: RequestHead): void {
    this.#bodyBytes = head.contentLength === undefined ? 0 : readContentLength(head.contentLength)
    if (this.#bodyBytes > this.#limits.bodyBytes) throw bodyTooLarge(this.#limits.bodyBytes)
    this.#window.wantedBytes = this.#bodyBytes
    this.#state = 'body'
  }

  #chunks(): ChunkedBody {
    if (this.#chunked === undefined) throw new Error('a chunked body is read before it has begun')
    return this.#chunked
  }

  #finish(): ParsedRequest {
    const head = this.#head
    this.#head = new RequestHead()
    this.#state = 'request-line'
    this.#headBytes = 0
    this.#fieldCount = 0
    this.#bodyBytes = 0
    this.#window.wantedBytes = 0
    this.#window.letGo()
    this.#chunked = undefined
    this.#continueAsked = false
    this.#emptyLines = 0
    head.keepAlive = keepsAlive(head)
    return head
  }
}

function readContentLength(value: string): number {
  if (value === '' || value.length > 15) throw badRequest('Content-Length is malformed.')
  let length = 0
  for (let index = 0; index < value.length; index++) {
    const digit = value.charCodeAt(index) - 0x30
    if (digit < 0 || digit > 9) throw badRequest('Content-Length is malformed.')
    length = length * 10 + digit
  }
  return length
}

function keepsAlive(head: RequestHead): boolean {
  const { connection } = head
  if (connection === undefined) return !head.isHttp10
  if (connection === 'keep-alive') return true
  const options = connection.toLowerCase().split(',')
  if (options.some((option) => option.trim() === 'close')) return false
  return !head.isHttp10 || options.some((option) => option.trim() === 'keep-alive')
}
