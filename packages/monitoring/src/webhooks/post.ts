import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
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

/** Sends a request and returns its status. Redirects are not followed, and the response is not read. */
export function post(url: URL, { method = 'POST', headers, body, timeoutMs, mayConnectTo }: Post): Promise<number> {
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
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
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
