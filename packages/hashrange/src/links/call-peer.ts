import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { signPost, type SigningCredentials } from '@hashrange/server'
import { explainTls } from '../explain-tls.ts'

/** The server of another region. */
export interface Peer {
  readonly region: string
  readonly url: string
  readonly credentials?: SigningCredentials | undefined
}

/** No response of a server that keeps to the protocol comes near. */
const mostBytes = 64 * 2 ** 20
/** A connection over which nothing comes for so long is presumed dead, beyond the time that a response may wait. */
const silenceMs = 15_000

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

export const replicationPath = '/_hashrange/replication'

export interface PeerResponse {
  readonly bytes: Buffer
  /** As it was transferred. */
  readonly transferredBytes: number
}

/** What a peer can be asked for. */
export type PeerAction = 'exchange' | 'fill'

/** The connections to the server of another region. */
export class PeerConnections {
  readonly #agents: Readonly<Record<PeerAction, HttpAgent>>

  constructor({ url }: Peer) {
    const agent = (maxSockets: number): HttpAgent => {
      const options = { keepAlive: true, maxSockets }
      // A session that is resumed would be believed without its certificate being verified.
      return isSecure(url) ? new HttpsAgent({ ...options, maxCachedSessions: 0 }) : new HttpAgent(options)
    }
    // One exchange follows the other on one connection. With a second one, a certificate that is no longer accepted would
    // stop only the exchanges that need a new connection, and the link would go down and up all the time.
    this.#agents = { exchange: agent(1), fill: agent(Infinity) }
  }

  agentFor(action: PeerAction): HttpAgent {
    return this.#agents[action]
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

interface CallOptions {
  readonly connections: PeerConnections
  readonly waitMs: number
  readonly stopping: AbortSignal
}

/** Sends a message to the server of another region. Errors say in a sentence what is wrong. */
export async function callPeer(
  peer: Peer,
  action: PeerAction,
  message: object,
  { connections, waitMs, stopping }: CallOptions,
): Promise<PeerResponse> {
  const url = new URL(`${peer.url.replace(/\/$/, '')}${replicationPath}/${action}`)
  const body = `${JSON.stringify(message)}\n`
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), waitMs + silenceMs)
  try {
    const response = await post(url, body, {
      headers: headersOf(peer, url, body),
      agent: connections.agentFor(action),
      signal: AbortSignal.any([stopping, silence.signal]),
    })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      timer.refresh()
      length += chunk.length
      if (length > mostBytes) throw new PeerMistake('its response is too large')
      chunks.push(chunk)
    }
    const sent = Buffer.concat(chunks)
    const { statusCode = 0 } = response
    if (statusCode !== 200) throw new PeerMistake(reasonOf(peer, statusCode, sent))
    const isZipped = response.headers['content-type'] === zippedType
    return { bytes: isZipped ? await unzipped(sent) : sent, transferredBytes: length + body.length }
  } catch (error) {
    if (silence.signal.aborted)
      throw new Error(`it has been silent for ${silenceMs / 1000} seconds`, { cause: error })
    throw new Error(explain(error, peer.url), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The type of a compressed message. It is not a content encoding, because those are undone on the way, and without limits. */
export const zippedType = 'application/vnd.hashrange.replication+gzip'

function isSecure(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

interface PostOptions {
  readonly headers: Record<string, string>
  readonly agent: HttpAgent
  readonly signal: AbortSignal
}

/** A response to elsewhere is not followed: credentials must not go there. */
function post(url: URL, body: string, options: PostOptions): Promise<IncomingMessage> {
  const request = isSecure(url.href) ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', ...options })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })
}

function headersOf({ credentials, region }: Peer, url: URL, body: string): Record<string, string> {
  const headers = { 'content-type': 'application/x-ndjson' }
  if (credentials === undefined) return headers
  return signPost(credentials, { url, service: 'hashrange', region, headers, body })
}

async function unzipped(bytes: Buffer): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: mostBytes })
  } catch (error) {
    throw new PeerMistake('its response cannot be decompressed', { cause: error })
  }
}

function reasonOf({ region }: Peer, status: number, body: Buffer): string {
  const sentence = (body.toString('utf8', 0, 500).trim().split('\n', 1)[0] ?? '').trim()
  // Servers that do not replicate have other reports below that path, or none.
  if (status === 405 || (status === 404 && !sentence.includes('replica'))) {
    return `it does not replicate. Start it with --region ${region} and --replicate, in the same version as this server`
  }
  if (status >= 300 && status < 400) {
    return 'it redirects to another address. Link to the address of the server itself'
  }
  if (status === 401) {
    return `it is closed, and rejected the signature (${sentence.replace(/\.$/, '')}). Set HASHRANGE_REPLICATE_ACCESS_KEY_ID and HASHRANGE_REPLICATE_SECRET_ACCESS_KEY to a key that may use hashrange:Operate there`
  }
  return sentence === '' ? `it responded with HTTP status ${status}` : sentence.replace(/\.$/, '')
}

/** What is wrong with a response, in words for people. */
class PeerMistake extends Error {}

function explain(error: unknown, url: string): string {
  if (error instanceof PeerMistake) return error.message
  const ofTls = explainTls(error, url)
  if (ofTls !== undefined) return ofTls.replace('--ca FILE', '--replicate-ca FILE').replace(/\.$/, '')
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return `it cannot be reached (${cause.code})`
  return cause instanceof Error ? cause.message : String(cause)
}
