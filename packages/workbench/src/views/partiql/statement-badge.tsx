import type { TableDescription } from '../../api-types.ts'
import { Badge } from '../../components/values/badge.tsx'
import { formatBytes, formatUnits, plural } from '../../values/format.ts'
import { scanCost } from '../query/run/confirm-scan.tsx'
import type { StatementFacts } from './read-statement.ts'

export interface StatementBadgeProps {
  readonly facts: StatementFacts
  readonly isScan: boolean
  readonly table: TableDescription | undefined
  readonly region: string
}

/** What a statement will do, before it is run. */
export function StatementBadge({ facts, isScan, table, region }: StatementBadgeProps) {
  const { kind, tableName, indexName, isWrite } = facts
  if (kind === 'malformed' || kind === 'unsupported') return <Badge>not a statement yet</Badge>
  if (isWrite) return <Badge tone="danger">{`${kind.toUpperCase()} writes to ${tableName ?? ''}`}</Badge>
  if (!isScan || table === undefined) return <Badge tone="success">{`${kind.toUpperCase()} by key`}</Badge>
  const cost = scanCost(table, indexName ?? '', false, region)
  return (
    <Badge tone="warning">
      {`SELECT scans ${indexName ?? table.TableName}: ${plural(cost.itemCount, 'item')}, ${formatBytes(cost.sizeBytes)}, about ${formatUnits(cost.units)} units`}
    </Badge>
  )
}
