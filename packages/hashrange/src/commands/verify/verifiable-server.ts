import type { VerifyReport } from '@hashrange/engine/verify'
import type { VerifyPiece } from '../../verify/verify-job.ts'
import { verificationsPath } from '../../verify/verify-route.ts'
import { askServer } from '../ask-server.ts'
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

function ask<Answer>(endpoint: string, url: URL, method: string): Promise<Answer> {
  return askServer<Answer>(endpoint, { url, method, what: 'verification' })
}
