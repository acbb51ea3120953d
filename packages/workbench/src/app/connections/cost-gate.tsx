import { Coins } from '../../icons/icons.generated.ts'
import { useState, type ReactNode } from 'react'
import { useTable } from '../../api/queries.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState, Waiting } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { scopeText, useScope } from '../../state/scope.tsx'
import { formatDollars } from '../../values/dollars.ts'
import { formatBytes, formatUnits, plural } from '../../values/format.ts'
import type { View } from '../../views/views.tsx'
import { scanCost } from '../../views/query/run/confirm-scan.tsx'

/** The tables that somebody has said may be read, in this tab. */
const agreed = new Set<string>()

/** Says what reading a table costs before a view begins to. */
export default function CostGate({
  view: { title },
  table: name,
  children,
}: {
  readonly view: View
  readonly table: string
  readonly children: ReactNode
}) {
  const scope = useScope()
  const id = `${scopeText(scope)} ${name}`
  const [isAgreed, setAgreed] = useState(() => agreed.has(id))
  const { data: table, error, refetch } = useTable(name)
  if (isAgreed) return children
  if (table === undefined) {
    return (
      <Page title={title}>
        <Waiting error={error} onRetry={refetch} lines={4} />
      </Page>
    )
  }
  const agree = (): void => {
    agreed.add(id)
    setAgreed(true)
  }
  return (
    <Page title={title}>
      <EmptyState
        icon={<Coins />}
        title={`Read items of ${name}?`}
        actions={
          <Button tone="primary" onClick={agree}>
            Read items
          </Button>
        }
      >
        <CostText table={table} region={scope.region} />
      </EmptyState>
    </Page>
  )
}

const pageBytes = 1_048_576

function CostText({ table, region }: { readonly table: TableDescription; readonly region: string }) {
  const all = scanCost(table, '', false, region)
  const page = scanCost({ ...table, TableSizeBytes: Math.min(pageBytes, table.TableSizeBytes) }, '', false, region)
  return (
    <>
      <p>
        AWS charges for what is read. A page is at most 1 MB: about{' '}
        <strong>{formatUnits(page.units)} read units</strong> ({formatDollars(page.dollars)}). More pages are read
        as you scroll.
      </p>
      <p>
        The whole table ({plural(all.itemCount, 'item')}, {formatBytes(all.sizeBytes)}) takes about{' '}
        <strong>{formatUnits(all.units)} read units</strong> ({formatDollars(all.dollars)}), at on-demand prices.
        AWS updates these sizes every six hours.
      </p>
    </>
  )
}
