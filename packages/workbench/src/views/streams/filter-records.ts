import type { Item } from '../../api-types.ts'
import { entityOf } from '../../values/entity-colour.ts'
import type { TailedRecord } from './stream-tail.ts'
import { kindOf, type EventKind, type StreamRecord } from './stream-types.ts'

export interface RecordFilter {
  /** None means all of them. */
  readonly kinds: readonly EventKind[]
  readonly key: string
  readonly text: string
  readonly entity: string
}

/** The records that match all filters. */
export function filterRecords(records: readonly TailedRecord[], filter: RecordFilter): readonly TailedRecord[] {
  const key = filter.key.trim().toLowerCase()
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (filter.kinds.length === 0 && key === '' && words.length === 0 && filter.entity === '') return records
  return records.filter(({ record }) => {
    if (filter.kinds.length > 0 && !filter.kinds.includes(kindOf(record))) return false
    if (filter.entity !== '' && entityOfRecord(record) !== filter.entity) return false
    if (key !== '' && !keyTextOf(record).toLowerCase().includes(key)) return false
    const text = words.length === 0 ? '' : recordText(record)
    return words.every((word) => text.includes(word))
  })
}

/** `CUSTOMER#1 · PROFILE`. */
export function keyTextOf({ dynamodb: { Keys } }: StreamRecord): string {
  return Object.values(Keys)
    .map((value) => ('S' in value ? value.S : 'N' in value ? value.N : 'B' in value ? value.B : ''))
    .join(' · ')
}

/** What the item is, as it says itself in either image. */
export function entityOfRecord({ dynamodb: { NewImage, OldImage } }: StreamRecord): string | undefined {
  return (NewImage && entityOf(NewImage)) ?? (OldImage && entityOf(OldImage))
}

export function entitiesOf(records: readonly TailedRecord[]): readonly string[] {
  const entities = new Set<string>()
  for (const { record } of records) {
    const entity = entityOfRecord(record)
    if (entity !== undefined) entities.add(entity)
  }
  return [...entities].toSorted()
}

/** Names and values of both images, in lower case; produced on first use, and dropped with the record. */
const texts = new WeakMap<StreamRecord, string>()

function recordText(record: StreamRecord): string {
  const known = texts.get(record)
  if (known !== undefined) return known
  const { Keys, NewImage, OldImage } = record.dynamodb
  const images: readonly (Item | undefined)[] = [Keys, NewImage, OldImage]
  const text = images.map((image) => (image === undefined ? '' : JSON.stringify(image).toLowerCase())).join('\n')
  texts.set(record, text)
  return text
}
