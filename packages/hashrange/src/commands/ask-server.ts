import { closedServer, tokenHeaders } from '../auth/server-token.ts'
import { explainTls } from '../explain-tls.ts'

/** Asks a running server for something that it does for commands, and reads its JSON response. Mistakes are reported
 *  in a sentence; `what` names what is requested. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export async function askServer<Answer>(
  endpoint: string,
  { url, method, what, timeoutMs = usualTimeoutMs }: Question,
): Promise<Answer> {
  const response = await answerOf(endpoint, url, method, timeoutMs)
  const text = await response.text()
  if (response.ok && response.headers.get('content-type')?.includes('json') === true) {
    const answer: Answer = JSON.parse(text)
    return answer
  }
  if (response.status === 401) throw new Error(closedServer(endpoint))
  const hasSentence = response.headers.get('content-type')?.startsWith('text/plain') === true
  if (hasSentence && [400, 403, 409].includes(response.status)) throw new Error(`${endpoint}: ${text.trim()}`)
  throw new Error(
    `The server at ${endpoint} is not a hashrange server, or it does not offer ${what} (HTTP ${response.status}).`,
  )
}

/** A lost response can be requested again; so can the next one, while the server is busy. */
async function answerOf(endpoint: string, url: URL, method: string, timeoutMs: number): Promise<Response> {
  let reason: unknown
  for (let attempt = 0; attempt < (method === 'GET' ? 5 : 1); attempt++) {
    try {
      return await fetch(url, { method, headers: tokenHeaders(), signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      reason = error
    }
  }
  const ofTls = explainTls(reason, endpoint)
  if (ofTls !== undefined) throw new Error(ofTls, { cause: reason })
  const cause = reason instanceof Error && reason.cause instanceof Error ? reason.cause : reason
  const why = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
  throw new Error(`Nothing answers at ${endpoint} (${why}). Is hashrange running there?`, { cause: reason })
}

const usualTimeoutMs = 30_000

interface Question {
  readonly url: URL
  readonly method: string
  readonly what: string
  /** How long the server may take. */
  readonly timeoutMs?: number
}
