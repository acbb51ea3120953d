import type { HttpResponse } from './http-request.ts'

const reasons = new Map<number, string>([
  [200, 'OK'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [400, 'Bad Request'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [408, 'Request Timeout'],
  [413, 'Content Too Large'],
  [415, 'Unsupported Media Type'],
  [417, 'Expectation Failed'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [505, 'HTTP Version Not Supported'],
])

/** The response's status line and header fields, with the empty line that ends them. */
export function responseHead(response: HttpResponse, keepAlive: boolean): string {
  const { status, headers } = response
  let head = status === 200 ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${status} ${reasons.get(status) ?? 'Unknown'}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  head += `Content-Length: ${response.body.length}\r\nDate: ${httpDate()}\r\n`
  return head + (keepAlive ? 'Connection: keep-alive\r\n\r\n' : 'Connection: close\r\n\r\n')
}

let dateSecond = -1
let dateText = ''

/** Rendered once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1000).toUTCString()
  }
  return dateText
}
