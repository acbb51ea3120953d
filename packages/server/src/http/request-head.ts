import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { HttpRequest } from './http-request.ts'
import { tokenBytes } from './header-bytes.ts'
import { badRequest, HttpRefusal } from './http-refusal.ts'
import { tlsDetailsOf, type TlsDetails } from './tls-details.ts'

const space = 0x20
const tab = 0x09
const colon = 0x3a
const emptyBody = Buffer.alloc(0)

/** A request while its head is being read; with its body it becomes the request that handlers get. */
export class RequestHead implements HttpRequest {
  method = ''
  target = ''
  isHttp10 = false
  keepAlive = true
  body: Buffer = emptyBody
  host: string | undefined = undefined
  contentLength: string | undefined = undefined
  transferEncoding: string | undefined = undefined
  connection: string | undefined = undefined
  expect: string | undefined = undefined
  contentType: string | undefined = undefined
  amzTarget: string | undefined = undefined
  amzDate: string | undefined = undefined
  amzSecurityToken: string | undefined = undefined
  amzRegionSet: string | undefined = undefined
  date: string | undefined = undefined
  authorization: string | undefined = undefined
  contentEncoding: string | undefined = undefined
  acceptEncoding: string | undefined = undefined
  origin: string | undefined = undefined
  accessControlRequestHeaders: string | undefined = undefined
  accessControlRequestMethod: string | undefined = undefined
  accept: string | undefined = undefined
  ifNoneMatch: string | undefined = undefined
  lastEventId: string | undefined = undefined
  secFetchSite: string | undefined = undefined
  workbench: string | undefined = undefined
  branch: string | undefined = undefined
  forwarded: string | undefined = undefined
  fields: string[] | undefined = undefined
  /** Set by the connection. Few requests need the address, so it is looked up then. */
  socket: Socket | undefined = undefined

  get remoteAddress(): string | undefined {
    return this.socket?.remoteAddress
  }

  get tls(): TlsDetails | undefined {
    return this.socket instanceof TLSSocket ? tlsDetailsOf(this.socket) : undefined
  }

  /** `METHOD SP target SP HTTP/1.x`, in the bytes from `start` to `end`. */
  readRequestLine(bytes: Buffer, start: number, end: number): void {
    let methodEnd = start
    while (methodEnd < end && tokenBytes[bytes[methodEnd] ?? 0] !== 0) methodEnd++
    if (methodEnd === start || methodEnd - start > 32 || bytes[methodEnd] !== space)
      throw badRequest('The request line is malformed.')
    let targetEnd = methodEnd + 1
    while (targetEnd < end && isTargetByte(bytes[targetEnd] ?? 0)) targetEnd++
    if (targetEnd === methodEnd + 1 || bytes[targetEnd] !== space)
      throw badRequest('The request target is malformed.')
    this.isHttp10 = readVersion(bytes, targetEnd + 1, end)
    this.method = isPost(bytes, start, methodEnd) ? 'POST' : bytes.toString('latin1', start, methodEnd)
    this.target =
      targetEnd === methodEnd + 2 && bytes[methodEnd + 1] === 0x2f
        ? '/'
        : bytes.toString('latin1', methodEnd + 1, targetEnd)
  }

  /** One `name: value` line. A line that starts with white space (obsolete folding) has no name and is rejected. */
  readField(bytes: Buffer, start: number, end: number): void {
    let nameEnd = start
    while (nameEnd < end && tokenBytes[bytes[nameEnd] ?? 0] !== 0) nameEnd++
    if (nameEnd === start || bytes[nameEnd] !== colon) throw badRequest('A header field is malformed.')
    const line = this.fields === undefined ? undefined : bytes.toString('latin1', start, end)
    if (line !== undefined) this.fields?.push(line)
    const field = fieldNamed(bytes, start, nameEnd)
    if (field === undefined) return
    let valueStart = nameEnd + 1
    let valueEnd = end
    while (valueStart < valueEnd && isBlank(bytes[valueStart])) valueStart++
    while (valueEnd > valueStart && isBlank(bytes[valueEnd - 1])) valueEnd--
    const value = line?.slice(valueStart - start, valueEnd - start)
    this.#setField(field, value ?? bytes.toString('latin1', valueStart, valueEnd))
  }

  /** Written out, so that every request has one hidden class and no store is keyed. */
  #setField(field: KnownField, value: string): void {
    switch (field) {
      case 'content-length':
        return void (this.contentLength = once(this.contentLength, value))
      case 'transfer-encoding':
        return void (this.transferEncoding = once(this.transferEncoding, value))
      case 'host':
        return void (this.host = once(this.host, value))
      case 'connection':
        return void (this.connection = listed(this.connection, value))
      case 'expect':
        return void (this.expect = once(this.expect, value))
      case 'content-type':
        return void (this.contentType = once(this.contentType, value))
      case 'x-amz-target':
        return void (this.amzTarget = once(this.amzTarget, value))
      case 'x-amz-date':
        return void (this.amzDate = once(this.amzDate, value))
      case 'x-amz-security-token':
        return void (this.amzSecurityToken = once(this.amzSecurityToken, value))
      case 'x-amz-region-set':
        return void (this.amzRegionSet = once(this.amzRegionSet, value))
      case 'date':
        return void (this.date = once(this.date, value))
      case 'authorization':
        return void (this.authorization = once(this.authorization, value))
      case 'content-encoding':
        return void (this.contentEncoding = once(this.contentEncoding, value))
      case 'accept-encoding':
        // The service uses the first and ignores the rest.
        return void (this.acceptEncoding ??= value)
      case 'origin':
        return void (this.origin = once(this.origin, value))
      case 'access-control-request-headers':
        return void (this.accessControlRequestHeaders = listed(this.accessControlRequestHeaders, value))
      case 'access-control-request-method':
        return void (this.accessControlRequestMethod = once(this.accessControlRequestMethod, value))
      case 'accept':
        return void (this.accept = listed(this.accept, value))
      case 'if-none-match':
        return void (this.ifNoneMatch = listed(this.ifNoneMatch, value))
      case 'last-event-id':
        return void (this.lastEventId = once(this.lastEventId, value))
      case 'sec-fetch-site':
        return void (this.secFetchSite = once(this.secFetchSite, value))
      case 'x-hashrange-workbench':
        return void (this.workbench = once(this.workbench, value))
      case 'x-hashrange-branch':
        return void (this.branch = once(this.branch, value))
      case 'forwarded':
      case 'x-forwarded-for':
      case 'x-real-ip':
        return void (this.forwarded = listed(this.forwarded, value))
    }
  }
}

const knownFields = [
  'content-length',
  'transfer-encoding',
  'host',
  'connection',
  'expect',
  'content-type',
  'x-amz-target',
  'x-amz-date',
  'x-amz-security-token',
  'x-amz-region-set',
  'date',
  'authorization',
  'content-encoding',
  'accept-encoding',
  'origin',
  'access-control-request-headers',
  'access-control-request-method',
  'accept',
  'if-none-match',
  'last-event-id',
  'sec-fetch-site',
  'x-hashrange-workbench',
  'x-hashrange-branch',
  'forwarded',
  'x-forwarded-for',
  'x-real-ip',
] as const

type KnownField = (typeof knownFields)[number]

interface FieldName {
  readonly name: KnownField
  readonly bytes: Uint8Array
}

const fieldsByLength: readonly (readonly FieldName[])[] = groupByLength()

function groupByLength(): FieldName[][] {
  const groups: FieldName[][] = Array.from(
    { length: Math.max(...knownFields.map((name) => name.length)) + 1 },
    () => [],
  )
  for (const name of knownFields) groups[name.length]?.push({ name, bytes: Buffer.from(name, 'latin1') })
  return groups
}

function fieldNamed(bytes: Buffer, start: number, end: number): KnownField | undefined {
  const candidates = fieldsByLength[end - start]
  if (candidates === undefined) return undefined
  for (const candidate of candidates) {
    let index = 0
    while (index < candidate.bytes.length && tokenBytes[bytes[start + index] ?? 0] === candidate.bytes[index])
      index++
    if (index === candidate.bytes.length) return candidate.name
  }
  return undefined
}

/** Two different lengths, hosts or credentials in one request are used to smuggle requests past a proxy. */
function once(previous: string | undefined, value: string): string {
  if (previous !== undefined) throw badRequest('A header field that can only be sent once was sent twice.')
  return value
}

function listed(previous: string | undefined, value: string): string {
  return previous === undefined ? value : `${previous}, ${value}`
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab
}

function isTargetByte(byte: number): boolean {
  return byte > space && byte < 0x7f
}

function isPost(bytes: Buffer, start: number, end: number): boolean {
  return (
    end - start === 4 &&
    bytes[start] === 0x50 &&
    bytes[start + 1] === 0x4f &&
    bytes[start + 2] === 0x53 &&
    bytes[start + 3] === 0x54
  )
}

/** Whether the version is 1.0 rather than 1.1; any other is rejected. */
function readVersion(bytes: Buffer, start: number, end: number): boolean {
  if (
    end - start !== 8 ||
    bytes.readUInt32BE(start) !== 0x48545450 ||
    bytes[start + 4] !== 0x2f ||
    bytes[start + 6] !== 0x2e
  ) {
    throw badRequest('The request line is malformed.')
  }
  const major = bytes[start + 5]
  const minor = bytes[start + 7]
  if (major === 0x31 && minor === 0x31) return false
  if (major === 0x31 && minor === 0x30) return true
  throw new HttpRefusal(505, 'Only HTTP/1.1 and HTTP/1.0 are supported.')
}
