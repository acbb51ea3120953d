import { itemSizeBytes, limits, type Item } from '@hashrange/core'
import { useMemo } from 'react'
import type { TableDescription } from '../../../api-types.ts'
import { Tooltip } from '../../../components/controls/tooltip.tsx'
import { formatBytes, formatUnits } from '../../../values/format.ts'
import { readUnits } from '../../../values/units.ts'
import { writeCosts, type WriteCost } from '../write/write-cost.ts'

/** How large an item is and what it costs to write and to read it, here and in each index. */
export function CostBar({
  table,
  loaded,
  item,
}: {
  readonly table: TableDescription
  readonly loaded: Item | undefined
  readonly item: Item
}) {
  const bytes = useMemo(() => itemSizeBytes(item), [item])
  const costs = useMemo(() => writeCosts(table, loaded, item), [table, loaded, item])
  const total = costs.reduce((sum, { units }) => sum + units, 0)
  const share = Math.min(1, bytes / limits.itemSizeBytes)
  return (
    <div className="cost-bar" role="group" aria-label="Size and cost">
      <Tooltip text={`${formatBytes(bytes)} of the 400 KB limit`}>
        <span className="cost-size">
          <span className="cost-meter" aria-hidden>
            <span
              className={share > 0.9 ? 'is-high' : ''}
              style={{ width: `${String(Math.max(2, share * 100))}%` }}
            />
          </span>
          <b className="number">{formatBytes(bytes)}</b>
        </span>
      </Tooltip>
      <span>
        read <b className="number">{formatUnits(readUnits(bytes))}</b>
        <span className="muted"> RU</span>
      </span>
      <span>
        write <b className="number">{formatUnits(total)}</b>
        <span className="muted"> WU</span>
      </span>
      <span className="cost-parts">
        {costs.map((cost) => (
          <Tooltip key={cost.source} text={words(cost)}>
            <span className={`cost-part ${cost.units === 0 ? 'is-free' : ''}`}>
              {cost.indexName === undefined ? 'table' : cost.indexName} {formatUnits(cost.units)}
            </span>
          </Tooltip>
        ))}
      </span>
    </div>
  )
}

function words({ indexName, effect, units }: WriteCost): string {
  const where = indexName === undefined ? 'The table' : `Index ${indexName}`
  return `${where}: ${effectText[effect]}${units > 0 ? ` (${formatUnits(units)} write units)` : ''}`
}

const effectText: Readonly<Record<WriteCost['effect'], string>> = {
  written: 'written',
  added: 'an entry is added',
  removed: 'the entry is removed',
  moved: 'the entry moves to another key: one delete and one put',
  changed: 'the entry changes',
  unchanged: 'no write: its entry stays the same',
  absent: 'no write: the item does not have its key',
}
