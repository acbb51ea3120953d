import { lookup } from 'node:dns'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'

export interface Post {
  /** POST, unless it says. */
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Called for every address that the receiver's name resolves to, by the same lookup whose result is used to
   *  connect: a name cannot mean one machine when it is checked and another when it is called. */
  readonly mayConnectTo: (address: string) => boolean
}

/** No answer that is read is longer. */
const mostAnswerBytes = 64 * 1024

/** Sends a request and returns its status. Redirects are not followed, and the response is not read. */
export async function post(url: URL, request: Post): Promise<number> {
  const response = await send(url, request)
  response.destroy()
  return response.statusCode ?? 0
}

/** Sends a request and reads the response, as far as it is not too long. */
export async function ask(url: URL, request: Post): Promise<{ readonly status: number; readonly body: string }> {
  const response = await send(url, request)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    if ((length += chunk.length) > mostAnswerBytes) throw new Error('its answer is longer than 64 KB')
  }
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }
}

function send(
  url: URL,
  { method = 'POST', headers, body, timeoutMs, mayConnectTo }: Post,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method,
        headers: { ...headers, ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }) },
        agent: false,
        lookup: permittedLookup(mayConnectTo),
        signal: AbortSignal.timeout(timeoutMs),
      },
      resolve,
    )
    request.on('error', reject)
    request.end(body)
  })
}

function permittedLookup(mayConnectTo: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const permitted = addresses.filter(({ address }) => mayConnectTo(address))
      const [first] = permitted
      if (first === undefined) return callback(new Error('its name resolves to an address that is not allowed'), '')
      if (options.all === true) callback(null, permitted)
      else callback(null, first.address, first.family)
    })
  }
}
