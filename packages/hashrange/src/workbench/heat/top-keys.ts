import type { HotKey, KeyRanking, ReportSource, Scope } from '@hashrange/engine'
import type { TimeRange, TopKeys } from '@hashrange/workbench/answers'
import { readParts } from './read-parts.ts'
import { byMinutes } from './time-range.ts'
import { whatIsRead } from './what-is-read.ts'

const keysShown = 12
/** This many of each part, so that a key that is never first but always there is not missed. */
const keysOfPart = 50

/** The most used keys in a time; throttled ones only if there were any. */
export async function topKeysOf(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
  isThrottled: boolean,
): Promise<TopKeys> {
  const over = byMinutes(range)
  const top = async (ranking: KeyRanking): Promise<readonly HotKey[]> => {
    const name = whatIsRead(scope, 'keys', tableName, indexName, ranking)
    const parts = await readParts(source, name, over, (fromMs, toMs) =>
      source.metrics.topKeys({
        scope,
        tableName,
        indexName,
        fromMs,
        toMs,
        ranking,
        periodMs: over.periodMs,
        limit: keysOfPart,
      }),
    )
    const keys = new Map<string, HotKey>()
    for (const key of parts.flat()) {
      const id = JSON.stringify(key.values)
      keys.set(id, together(keys.get(id), key))
    }
    return [...keys.values()].toSorted((a, b) => b.amount - a.amount).slice(0, keysShown)
  }
  return {
    ...(await totalsOf(source, scope, tableName, indexName, over)),
    reads: await top('reads'),
    writes: await top('writes'),
    throttledReads: isThrottled ? await top('throttledReads') : [],
    throttledWrites: isThrottled ? await top('throttledWrites') : [],
  }
}

async function totalsOf(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  over: TimeRange,
): Promise<Pick<TopKeys, 'readUnits' | 'writeUnits' | 'seconds'>> {
  const name = whatIsRead(scope, 'totals', tableName, indexName)
  const parts = await readParts(source, name, over, async (fromMs, toMs) => {
    const points = await source.metrics.consumption(scope, tableName, indexName, fromMs, toMs, 'minute')
    return {
      readUnits: points.reduce((sum, point) => sum + point.readUnits, 0),
      writeUnits: points.reduce((sum, point) => sum + point.writeUnits, 0),
    }
  })
  return {
    readUnits: parts.reduce((sum, part) => sum + part.readUnits, 0),
    writeUnits: parts.reduce((sum, part) => sum + part.writeUnits, 0),
    seconds: (Math.min(over.toMs, source.clock.now()) - over.fromMs) / 1000,
  }
}

function together(known: HotKey | undefined, { values, text, amount, overestimate }: HotKey): HotKey {
  return {
    values,
    text,
    amount: amount + (known?.amount ?? 0),
    overestimate: overestimate + (known?.overestimate ?? 0),
  }
}
