import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import type { Contribution } from './contribution.ts'
import { contributionsText, readContributions } from './contribution.ts'

/** What the mark of a source item says. */
export interface Mark {
  /** The position of the last change that was counted; undefined if it is not known. */
  readonly position: string | undefined
  /** Derived items of a later epoch do not contain these contributions. */
  readonly epoch: number
  readonly contributions: readonly Contribution[]
}

/** Before any position of a stream. */
const noPosition = '0'

/** Names a source item: its entity and key. */
export function sourceId(entity: EntityRuntime, item: StoredItem): string {
  return JSON.stringify([entity.name, ...keyValues(entity, item)])
}

/** The key of the source item that a mark belongs to. */
export function sourceOf(id: string): { readonly entity: string; readonly key: readonly AttributeValue[] } {
  const [entity, ...key] = JSON.parse(id) as [string, ...AttributeValue[]]
  return { entity, key }
}

export function keyValues({ table }: EntityRuntime, item: StoredItem): readonly AttributeValue[] {
  const { partitionKey, sortKey } = table
  return [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].flatMap(({ name }) => item[name] ?? [])
}

export function keyFromValues({ table }: EntityRuntime, values: readonly AttributeValue[]): StoredItem {
  const [partition = { NULL: true }, sort] = values
  const { partitionKey, sortKey } = table
  return {
    [partitionKey.name]: partition,
    ...(sortKey !== undefined && sort !== undefined && { [sortKey.name]: sort }),
  }
}

export function readMark(item: StoredItem): Mark {
  return {
    position: item['position']?.S ?? noPosition,
    epoch: Number(item['epoch']?.N ?? 0),
    contributions: readContributions(item['contributions']?.S ?? '[]'),
  }
}

/** ON DISK: an item of the entity of marks. */
export function markItem(
  entity: EntityRuntime,
  source: string,
  mark: Mark & { readonly expiresAt?: number | undefined },
): StoredItem {
  const { expiresAt } = mark
  const encoded: StoredItem = {
    source: { S: source },
    position: { S: mark.position ?? noPosition },
    epoch: { N: String(mark.epoch) },
    contributions: { S: contributionsText(mark.contributions) },
    ...(expiresAt !== undefined &&
      entity.ttlAttribute !== undefined && { [entity.ttlAttribute]: { N: String(expiresAt) } }),
  }
  return entity.addKeys(encoded)
}
