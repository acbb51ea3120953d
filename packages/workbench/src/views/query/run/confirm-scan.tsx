import type { Scope, TableDescription } from '../../../api-types.ts'
import { sourcesOf } from '../../../api/table-facts.ts'
import { scopeText } from '../../../state/scope.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { formatBytes, formatUnits, plural } from '../../../values/format.ts'
import { scanUnits } from '../../../values/units.ts'
import { formatDollars } from '../../../values/dollars.ts'
import { dollarsOf, dollarsPerMonth, pricesOf } from './run-cost.ts'

/** What reading all of a table or an index takes. */
export interface ScanCost {
  readonly itemCount: number
  readonly sizeBytes: number
  readonly units: number
  readonly dollars: number
}

export function scanCost(table: TableDescription, index: string, isConsistent: boolean, region: string): ScanCost {
  const source = sourcesOf(table).find(({ indexName }) => (indexName ?? '') === index)
  const units = scanUnits(source?.sizeBytes ?? 0, isConsistent)
  return {
    itemCount: source?.itemCount ?? 0,
    sizeBytes: source?.sizeBytes ?? 0,
    units,
    dollars: dollarsOf(units, pricesOf(region)),
  }
}

/** One page: what a scan reads before it asks whether to continue. */
const pageBytes = 1024 * 1024
const confirmed = new Set<string>()

/** Says what a scan costs before it is run. Of what fits on a page it is said once. */
export async function confirmScan(
  table: TableDescription,
  index: string,
  isConsistent: boolean,
  callsPerSecond: number,
  scope: Scope,
): Promise<boolean> {
  const { region } = scope
  const cost = scanCost(table, index, isConsistent, region)
  const place = index === '' ? table.TableName : `${table.TableName}/${index}`
  const known = `${scopeText(scope)} ${place}`
  if (confirmed.has(known) && cost.sizeBytes < pageBytes) return true
  const monthly = dollarsPerMonth(cost.units, callsPerSecond, pricesOf(region))
  const isConfirmed = await confirm({
    title: `Scan all of ${place}?`,
    action: 'Scan',
    body: (
      <div className="stack">
        <p>
          Without a partition key, every item is read: {plural(cost.itemCount, 'item')},{' '}
          {formatBytes(cost.sizeBytes)}. A filter does not reduce the cost, because it is applied after the read.
        </p>
        <p>
          All of it takes about <strong>{formatUnits(cost.units)} read units</strong> ({formatDollars(cost.dollars)}
          ) each time; at {callsPerSecond} calls per second, <strong>{formatDollars(monthly)} per month</strong>. It
          is read page by page, and you can stop after each page.
        </p>
      </div>
    ),
  })
  if (isConfirmed) confirmed.add(known)
  return isConfirmed
}
