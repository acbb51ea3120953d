import { tokenHeaders } from '../auth/server-token.ts'
import { explainTls } from '../explain-tls.ts'
import { good, note, problem, type Finding } from './finding.ts'

/** Requests that are further off than this are refused by AWS, and by a closed server. */
const refusedMs = 5 * 60_000
const noticeableMs = 5_000

/** Whether a server answers there, whether it is ours, and whether its clock agrees with this machine's. */
export async function checkServer(endpoint: string, now: () => number): Promise<readonly Finding[]> {
  const url = addressOf(endpoint)
  if (url === undefined) {
    return [problem(`"${endpoint}" is not an address.`, 'Give one such as --endpoint http://127.0.0.1:8000')]
  }
  const health = await answerOf(new URL('/', url))
  if (health instanceof Error) return [unreachable(endpoint, url, health)]
  const ready = await answerOf(new URL('/ready', url))
  const isOurs = !(ready instanceof Error) && health.text.startsWith('healthy: ') && ready.status !== 404
  if (!isOurs) {
    return [
      problem(
        `What answers at ${endpoint} is not hashrange (HTTP ${health.status}).`,
        `It is another program: ${elsewhere}`,
      ),
    ]
  }
  return [
    ready.status === 200
      ? good(`hashrange answers at ${endpoint}, and is ready.`)
      : problem(`hashrange answers at ${endpoint}, but is not ready: ${ready.text}`, 'Look at its log.'),
    ...clockFindings(health.dateMs, now()),
  ]
}

function clockFindings(serverMs: number | undefined, ownMs: number): readonly Finding[] {
  if (serverMs === undefined) return []
  const offMs = Math.abs(serverMs - ownMs)
  const text = `This machine's clock and the server's differ by ${Math.round(offMs / 1000)} seconds.`
  if (offMs > refusedMs)
    return [problem(text, 'Correct the clock that is wrong: AWS, and a server with --auth, reject such requests.')]
  return offMs > noticeableMs ? [note(text)] : []
}

function unreachable(endpoint: string, url: URL, error: Error): Finding {
  const ofTls = explainTls(error, endpoint)
  if (ofTls !== undefined)
    return problem(ofTls, `Check the scheme of the address, and --ca if it has its own issuer.`)
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.name === 'TimeoutError') {
    return problem(
      `What listens at ${endpoint} has not answered within 5 seconds.`,
      `If it is hashrange, look at its log. If it is not, ${elsewhere}`,
    )
  }
  const why = 'code' in cause ? String(cause.code) : cause.message
  if (/^HPE_|^UND_ERR_SOCKET$|^ECONNRESET$/.test(why))
    return problem(`What listens at ${endpoint} does not speak HTTP.`, `It is not hashrange: ${elsewhere}`)
  return problem(
    `Nothing answers at ${endpoint} (${why}).`,
    `Start a server: hashrange start${url.port === '' || url.port === '8000' ? '' : ` --port ${url.port}`}`,
  )
}

const elsewhere = 'stop it, or start hashrange on another port: hashrange start --port 8001'

interface Answer {
  readonly status: number
  readonly text: string
  readonly dateMs: number | undefined
}

async function answerOf(url: URL): Promise<Answer | Error> {
  try {
    const response = await fetch(url, {
      headers: { ...tokenHeaders(), Accept: '*/*' },
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    })
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    const text = (await response.text()).trim().slice(0, 500)
    return { status: response.status, text, dateMs: Number.isNaN(dateMs) ? undefined : dateMs }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function addressOf(endpoint: string): URL | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
}
