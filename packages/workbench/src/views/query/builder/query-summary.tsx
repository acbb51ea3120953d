import { Badge } from '../../../components/values/badge.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { useScope } from '../../../state/scope.tsx'
import { formatBytes, formatUnits, plural } from '../../../values/format.ts'
import { scanCost } from '../run/confirm-scan.tsx'
import type { AskedQuery } from '../asked/use-asked-query.ts'

/** What will be sent, in a sentence. */
export function QuerySummary({ query }: { readonly query: AskedQuery }) {
  const { table, index, isConsistent, isReady, mode, request, requests } = query
  const { region } = useScope()
  const operation = isReady || mode === 'key' ? request?.operation : undefined
  if (operation === undefined) return null
  const place = index === '' ? 'the table' : index
  if (operation === 'Scan') {
    const cost = scanCost(table, index, isConsistent, region)
    return (
      <Notice tone="warning">
        <strong>Scan</strong>: reads all {plural(cost.itemCount, 'item')} of {place}, {formatBytes(cost.sizeBytes)},
        about {formatUnits(cost.units)} units.
      </Notice>
    )
  }
  return (
    <p className="query-summary">
      <Badge tone="accent">{requests.length > 1 ? `${String(requests.length)} × ${operation}` : operation}</Badge>{' '}
      {operation === 'GetItem'
        ? 'One item, by its full primary key.'
        : requests.length > 1
          ? `That many item collections in ${place}, read in parallel and merged in order.`
          : `One item collection in ${place}, in sort-key order.`}
    </p>
  )
}
