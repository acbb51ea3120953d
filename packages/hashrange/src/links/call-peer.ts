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

/** Sends a message to the server of another region. Errors say in a sentence what is wrong. */
export async function callPeer(
  peer: Peer,
  action: 'exchange' | 'fill',
  message: object,
  { waitMs, stopping }: { readonly waitMs: number; readonly stopping: AbortSignal },
): Promise<PeerResponse> {
  const url = new URL(`${peer.url.replace(/\/$/, '')}${replicationPath}/${action}`)
  const body = `${JSON.stringify(message)}\n`
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), waitMs + silenceMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(peer, url, body),
      body,
      // Credentials must not follow to somewhere else.
      redirect: 'error',
      signal: AbortSignal.any([stopping, silence.signal]),
    })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      timer.refresh()
      length += chunk.length
      if (length > mostBytes) throw new PeerMistake('its response is too large')
      chunks.push(chunk)
    }
    const sent = Buffer.concat(chunks)
    if (!response.ok) throw new PeerMistake(reasonOf(peer, response.status, sent))
    const isZipped = response.headers.get('content-type') === zippedType
    return { bytes: isZipped ? await unzipped(sent) : sent, transferredBytes: length + body.length }
  } catch (error) {
    if (silence.signal.aborted)
      throw new Error(`it has been silent for ${silenceMs / 1000} seconds`, { cause: error })
    throw new Error(explain(error, peer.url), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** The type of a compressed message. It is not a content encoding, because those are undone without limits. */
export const zippedType = 'application/vnd.hashrange.replication+gzip'

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
  if (ofTls !== undefined) return ofTls.replace(/\.$/, '')
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return `it cannot be reached (${cause.code})`
  return cause instanceof Error ? cause.message : String(cause)
}
