import type { HttpResponse } from './http-request.ts'

const reasons = new Map<number, string>([
  [200, 'OK'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [417, 'Expectation Failed'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [505, 'HTTP Version Not Supported'],
])

/** The response as it is sent: its status line, its header fields, and at the end `bodyBytes` of room for its body.
 *  The head is written byte by byte, because building a string first would cost more. */
export function beginResponse(response: HttpResponse, keepAlive: boolean, bodyBytes: number): Buffer {
  const { status, headers } = response
  const statusLine = status === 200 ? okLine : `HTTP/1.1 ${status} ${reasons.get(status) ?? 'Unknown'}\r\n`
  // A response without an end has no length: it ends with the connection.
  const length = response.stream === undefined ? `${contentLength}${response.body.length}` : noLength
  const ending = endingOf(keepAlive)
  let headBytes = statusLine.length + length.length + ending.length
  for (const name in headers) headBytes += name.length + (headers[name] ?? '').length + 4
  const bytes = Buffer.allocUnsafe(headBytes + bodyBytes)
  let end = writeLatin1(bytes, 0, statusLine)
  for (const name in headers) {
    end = writeLatin1(bytes, end, name)
    bytes[end++] = colon
    bytes[end++] = space
    end = writeLatin1(bytes, end, headers[name] ?? '')
    bytes[end++] = carriageReturn
    bytes[end++] = lineFeed
  }
  end = writeLatin1(bytes, end, length)
  writeLatin1(bytes, end, ending)
  return bytes
}

const okLine = 'HTTP/1.1 200 OK\r\n'
const contentLength = 'Content-Length: '
const noLength = 'X-Accel-Buffering: no'
const colon = 0x3a
const space = 0x20
const carriageReturn = 0x0d
const lineFeed = 0x0a

function writeLatin1(target: Buffer, offset: number, text: string): number {
  for (let index = 0; index < text.length; index++) target[offset + index] = text.charCodeAt(index)
  return offset + text.length
}

let second = -1
let endings = { keepAlive: '', close: '' }

/** What follows the length. It contains the time, so it is rebuilt each second. */
function endingOf(keepAlive: boolean): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    const date = `\r\nDate: ${new Date(now * 1000).toUTCString()}\r\nConnection: `
    endings = { keepAlive: `${date}keep-alive\r\n\r\n`, close: `${date}close\r\n\r\n` }
  }
  return keepAlive ? endings.keepAlive : endings.close
}
