import type { VerifyReport } from '@hashrange/engine/verify'
import type { VerifyPiece } from '../../verify/verify-job.ts'
import { verificationsPath } from '../../verify/verify-route.ts'
import type { Verifiable, VerifyRun } from './verifiable.ts'

/** A running server, which verifies its own data: nobody else can open its folder. */
export function verifiableServer(endpoint: string): Verifiable {
  return { name: endpoint, flag: `--endpoint ${endpoint}`, run: (run) => verifyOn(endpoint, run) }
}

async function verifyOn(endpoint: string, run: VerifyRun): Promise<VerifyReport> {
  const url = new URL(`${endpoint}${verificationsPath}`)
  if (run.table !== undefined) url.searchParams.set('table', run.table)
  if (run.repair) url.searchParams.set('repair', 'true')
  const { id } = await ask<{ readonly id: string }>(endpoint, url, 'POST')
  const job = `${endpoint}${verificationsPath}/${id}`
  for (let number = 0; ; number++) {
    if (run.stopping.aborted) await ask(endpoint, new URL(job), 'DELETE')
    run.stopping.throwIfAborted()
    const { findings, progress, report, failure } = await ask<VerifyPiece>(
      endpoint,
      new URL(`${job}/${number}`),
      'GET',
    )
    for (const finding of findings) run.onFinding(finding)
    if (progress !== undefined) run.onProgress(progress)
    if (failure !== undefined) throw new Error(failure)
    if (report !== undefined) return report
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
async function ask<Answer>(endpoint: string, url: URL, method: string): Promise<Answer> {
  const response = await answerOf(endpoint, url, method)
  const text = await response.text()
  if (response.ok && response.headers.get('content-type')?.includes('json') === true) {
    const answer: Answer = JSON.parse(text)
    return answer
  }
  if (response.status === 403 || response.status === 409) throw new Error(`${endpoint}: ${text.trim()}`)
  throw new Error(
    `The server at ${endpoint} is not a hashrange server, or it does not offer verification (HTTP ${response.status}).`,
  )
}

/** An answer that was lost can be asked for again; so can the next one, while the server is busy. */
async function answerOf(endpoint: string, url: URL, method: string): Promise<Response> {
  let reason: unknown
  for (let attempt = 0; attempt < (method === 'GET' ? 5 : 1); attempt++) {
    try {
      return await fetch(url, { method, signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      reason = error
    }
  }
  const cause = reason instanceof Error && reason.cause instanceof Error ? reason.cause : reason
  const why = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause)
  throw new Error(`Nothing answers at ${endpoint} (${why}). Is hashrange running there?`, { cause: reason })
}

const timeoutMs = 30_000
