import type { Consumer, TableEvents } from '../../../answers/events.ts'
import { lastPart, nameOf } from '../consumer-state.ts'

/** What a picture of the flow shows: from where changes are read, by whom, and where they go. */
export interface FlowGroup {
  readonly id: 'stream' | 'log'
  readonly title: string
  readonly detail: string
  readonly rows: readonly FlowRow[]
}

export interface FlowRow {
  readonly consumer: Consumer
  /** The stations after the consumer; the last one is its target. */
  readonly stations: readonly Station[]
}

export interface Station {
  readonly kind: 'function' | 'table' | 'stream' | 'address'
  readonly name: string
}

/** Triggers and pipes read the stream. Kinesis destinations and webhooks get changes whether or not there is a stream. */
export function flowGroups({ stream, consumers }: TableEvents): readonly FlowGroup[] {
  const groups: FlowGroup[] = []
  const rows = consumers.map((consumer) => ({ consumer, stations: stationsOf(consumer) }))
  const readers = rows.filter(({ consumer: { kind } }) => kind === 'mapping' || kind === 'pipe')
  const others = rows.filter(({ consumer: { kind } }) => kind === 'kinesis' || kind === 'webhook')
  if (stream !== null) {
    const detail = stream.isEnabled ? viewTypes[stream.viewType] : 'disabled'
    groups.push({ id: 'stream', title: 'Stream', detail: detail ?? stream.viewType, rows: readers })
  }
  if (others.length > 0) groups.push({ id: 'log', title: 'Change log', detail: 'every change', rows: others })
  return groups
}

const viewTypes: Readonly<Record<string, string>> = {
  KEYS_ONLY: 'keys only',
  NEW_IMAGE: 'new image',
  OLD_IMAGE: 'old image',
  NEW_AND_OLD_IMAGES: 'new and old images',
}

function stationsOf(consumer: Consumer): readonly Station[] {
  switch (consumer.kind) {
    case 'mapping':
      return [{ kind: 'function', name: consumer.functionName }]
    case 'pipe':
      return [
        ...(consumer.enrichmentArn === null ? [] : [stationOf(consumer.enrichmentArn)]),
        stationOf(consumer.targetArn),
      ]
    case 'kinesis':
      return [{ kind: 'stream', name: nameOf(consumer) }]
    case 'webhook':
      return [{ kind: 'address', name: consumer.origin }]
  }
}

function stationOf(arn: string): Station {
  if (/^https?:/.test(arn)) return { kind: 'address', name: arn }
  const name = lastPart(arn)
  const [, , service] = arn.split(':')
  if (service === 'lambda') return { kind: 'function', name }
  return { kind: service === 'dynamodb' ? 'table' : service === 'kinesis' ? 'stream' : 'address', name }
}

/** The curve from the middle of a source, at the left, to the middle of each of its rows, at the right. Lengths are in
 *  pixels; the space is `width` wide and as high as all rows. */
export function curves(rows: number, rowPx: number, gapPx: number, width: number): readonly string[] {
  const height = rows * rowPx + Math.max(0, rows - 1) * gapPx
  const from = height / 2
  return Array.from({ length: rows }, (_, row) => {
    const to = row * (rowPx + gapPx) + rowPx / 2
    const middle = width / 2
    return `M0 ${String(from)} C${String(middle)} ${String(from)} ${String(middle)} ${String(to)} ${String(width)} ${String(to)}`
  })
}
