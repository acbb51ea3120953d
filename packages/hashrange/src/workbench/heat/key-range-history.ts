import type { ReportSource, Scope } from '@hashrange/engine'
import type { KeyRangeHistory, TimeRange } from '@hashrange/workbench/answers'
import { readParts } from './read-parts.ts'
import { byMinutes } from './time-range.ts'
import { whatIsRead } from './what-is-read.ts'

/** As many ranges per period as can be distinguished on the page. */
const rangesShown = 64

export async function keyRangeHistory(
  source: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
): Promise<KeyRangeHistory> {
  const over = byMinutes(range)
  const { periodMs } = over
  const name = whatIsRead(scope, 'keyRanges', tableName, indexName)
  const parts = await readParts(source, name, over, (fromMs, toMs) =>
    source.metrics.keyRanges({ scope, tableName, indexName, fromMs, toMs, periodMs, limit: rangesShown }),
  )
  return { periodMs, periods: parts.flat() }
}
