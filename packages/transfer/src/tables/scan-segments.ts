import { isThrottling, type DatabasePort, type WireItem } from './database-port.ts'
import { pauseAfter } from './pause-after.ts'

/** The progress of scanning one segment. */
export interface SegmentPosition {
  readonly done: boolean
  /** Where the next page begins; undefined at the start. */
  readonly startKey?: WireItem
  readonly items: number
}

export const segmentStart: SegmentPosition = { done: false, items: 0 }

export interface SegmentScan {
  readonly port: DatabasePort
  readonly tableName: string
  readonly positions: readonly SegmentPosition[]
  /** Receives a page's items, and the position after them. The next page of the segment is read when it returns. */
  page(segment: number, items: readonly WireItem[], after: SegmentPosition): Promise<void>
  readonly signal: AbortSignal
}

/** Scans the segments of a table in parallel, each from its own position. Stops between two pages if asked to. */
export async function scanSegments(scan: SegmentScan): Promise<void> {
  const outcomes = await Promise.allSettled(
    scan.positions.map((position, segment) => scanSegment(scan, segment, position)),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function scanSegment(scan: SegmentScan, Segment: number, start: SegmentPosition): Promise<void> {
  let position = start
  while (!position.done && !scan.signal.aborted) {
    const answer = await readPage(scan, Segment, position)
    const items = answer['Items'] as readonly WireItem[]
    const startKey = answer['LastEvaluatedKey'] as WireItem | undefined
    const count = position.items + items.length
    position = startKey === undefined ? { done: true, items: count } : { done: false, startKey, items: count }
    await scan.page(Segment, items, position)
  }
}

async function readPage(
  { port, tableName, positions }: SegmentScan,
  Segment: number,
  { startKey }: SegmentPosition,
): Promise<Readonly<Record<string, unknown>>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await port.request('Scan', {
        TableName: tableName,
        Segment,
        TotalSegments: positions.length,
        ...(startKey !== undefined && { ExclusiveStartKey: startKey }),
      })
    } catch (error) {
      if (!isThrottling(error) || attempt >= 12) throw error
      await pauseAfter(attempt)
    }
  }
}
