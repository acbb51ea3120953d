import { closedServer, tokenHeaders } from '../auth/server-token.ts'
import { explainTls } from '../explain-tls.ts'
import { Mistake } from '../mistake.ts'
import { defaultEndpoint, endpointOfServer } from './endpoint-of-server.ts'

const timeoutMs = 10_000

/** The address of a server as it was typed. */
export function readEndpoint(text: string | undefined): string {
  const endpoint = text ?? endpointOfServer()
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new Mistake(`--endpoint must be an address such as ${defaultEndpoint}, not "${endpoint}".`)
  }
  return endpoint.replace(/\/+$/, '')
}

/** One of the reports of a running server. Mistakes are reported in a sentence. */
export async function readReport<Report>(
  endpoint: string,
  name: 'heat' | 'traffic',
  query: Readonly<Record<string, string | undefined>>,
): Promise<Report> {
  const url = new URL(`${endpoint}/_hashrange/${name}`)
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, value)
  let response: Response
  try {
    response = await fetch(url, { headers: tokenHeaders(), signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    const why =
      explainTls(error, endpoint) ??
      `Nothing answers at ${endpoint} (${reasonOf(error)}). Is hashrange running there?`
    throw new Error(why, { cause: error })
  }
  const text = await response.text()
  if (response.ok && response.headers.get('content-type')?.includes('json') === true) {
    return JSON.parse(text) as Report
  }
  if (response.status === 401) throw new Error(closedServer(endpoint))
  if (response.status === 400 || response.status === 403) throw new Error(`${endpoint}: ${text.trim()}`)
  throw new Error(
    `The server at ${endpoint} is not a hashrange server, or it does not offer these reports (HTTP ${response.status}).`,
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} seconds`
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error instanceof Error ? error.message : String(error)
}
