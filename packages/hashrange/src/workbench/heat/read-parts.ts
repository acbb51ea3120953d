import type { ReportSource } from '@hashrange/engine'
import type { TimeRange } from '@hashrange/workbench/answers'

const partMs = 6 * 60 * 60_000
/** Servers that share a store write their minutes to it a little later. */
const settledMs = 5 * 60_000
const partsKept = 1_500

/** What was read of a time, in parts. Reading a month at once would block the database meanwhile, so there is a pause
 *  after each part. The past does not change, so a page that is updated every minute only reads the end of it again.
 *  `name` says what is read; `read` should return little. */
export async function readParts<Part>(
  { metrics, clock }: ReportSource,
  name: string,
  { fromMs, toMs, periodMs }: TimeRange,
  read: (fromMs: number, toMs: number) => Promise<Part>,
): Promise<readonly Part[]> {
  const kept = keptOf(metrics)
  const parts: Part[] = []
  for (let at = fromMs; at < toMs;) {
    const end = Math.min(toMs, (Math.floor(at / partMs) + 1) * partMs)
    const isWhole = end - at === partMs && end <= clock.now() - settledMs
    const key = `${name} ${String(periodMs)} ${String(at)}`
    const known = isWhole ? (kept.get(key) as Part | undefined) : undefined
    if (known === undefined) {
      const part = await read(at, end)
      parts.push(part)
      if (isWhole) keep(kept, key, part)
      await new Promise((resume) => setImmediate(resume))
    } else {
      parts.push(known)
    }
    at = end
  }
  return parts
}

/** The first that was kept is the first to be dropped. */
function keep(kept: Map<string, unknown>, key: string, part: unknown): void {
  kept.set(key, part)
  for (const oldest of kept.keys()) {
    if (kept.size <= partsKept) return
    kept.delete(oldest)
  }
}

/** Kept for as long as the database is open. */
const keptByDatabase = new WeakMap<object, Map<string, unknown>>()

function keptOf(database: object): Map<string, unknown> {
  let kept = keptByDatabase.get(database)
  if (kept === undefined) {
    kept = new Map()
    keptByDatabase.set(database, kept)
  }
  return kept
}
