import type { Position } from './cursor.ts'
import type { StoredItem } from './entity-runtime.ts'
import type { PageRequest, StoredPage } from './read-page.ts'
import { sendPart } from './read-page.ts'

/** Periods may be empty. A page that has found nothing in so many of them ends, so that its caller is asked whether to go on. */
const mostRequests = 100

/** Reads one period after the other, until the limit is reached; without a limit, until one had something in it. */
export async function readBuckets(request: PageRequest): Promise<StoredPage> {
  const { limit, plan } = request
  const positions: Position[] = [...request.positions]
  const items: StoredItem[] = []
  let current = positions.findIndex((position) => position !== 'end')
  for (let sent = 0; current !== -1 && current < plan.inputs.length && sent < mostRequests; sent++) {
    const left = limit === undefined ? undefined : limit - items.length
    const { Items = [], LastEvaluatedKey } = await sendPart({ ...request, positions }, current, left)
    items.push(...Items)
    positions[current] = LastEvaluatedKey ?? 'end'
    if (LastEvaluatedKey === undefined) current++
    if (limit === undefined ? items.length > 0 : items.length >= limit) break
  }
  const isOver = current === -1 || current >= plan.inputs.length
  return { items, next: isOver ? undefined : positions }
}
