import { Randomness } from '../../support/randomness.ts'
import { anyModelDocument } from './any-model-document.ts'
import { checkModelDocument, type DocumentOutcome } from './check-model-document.ts'

export interface DocumentFinding {
  readonly problem: string
  readonly document: unknown
}

const slowMs = 1_000

/** Model files that a seed decides: none may break the library otherwise than by a refusal, take longer than a second, or run as code what it only names. */
export async function fuzzDocuments(
  seed: number,
  count: number,
  counts: Record<DocumentOutcome, number>,
): Promise<readonly DocumentFinding[]> {
  const random = new Randomness(seed)
  const findings: DocumentFinding[] = []
  for (let number = 0; number < count; number++) {
    const document: unknown = JSON.parse(JSON.stringify(anyModelDocument(random)) ?? 'null')
    const problem = await problemWith(document, counts)
    if (problem !== undefined) findings.push({ problem, document })
  }
  return findings
}

async function problemWith(
  document: unknown,
  counts: Record<DocumentOutcome, number>,
): Promise<string | undefined> {
  let fastestMs = Number.POSITIVE_INFINITY
  try {
    // Other processes take their share of the machine: a document is slow if it is slow each time.
    for (let attempt = 0; attempt < 3 && fastestMs > slowMs; attempt++) {
      const startedAtMs = performance.now()
      const outcome = await checkModelDocument(document)
      if (attempt === 0) counts[outcome]++
      fastestMs = Math.min(fastestMs, performance.now() - startedAtMs)
    }
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  if ('pwned' in globalThis) return 'ran as code'
  return fastestMs > slowMs ? `took ${Math.round(fastestMs)} ms` : undefined
}
