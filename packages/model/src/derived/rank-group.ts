import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { ModelError } from '../errors.ts'
import { emptyItem, groupOf } from './contributions-of.ts'
import type { RankingDerivation } from './derivation.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import { keyValues, keyFromValues, sourceId } from './mark.ts'

/** ON DISK: counts the writes of rankings in a derived item. */
const versionAttribute = '$version'
const mostAttempts = 20

/** A derived item whose ranking may have changed. `parameters` are those of the pattern. */
export interface RankedGroup {
  readonly group: PlainItem
  readonly parameters: PlainItem
}

/** The group that an item is ranked in, and what it would look like there. Undefined if it is in none. */
export function rankOf(
  derivation: RankingDerivation,
  source: EntityRuntime,
  target: EntityRuntime,
  stored: StoredItem | undefined,
): { readonly id: string; readonly at: RankedGroup; readonly shown: string } | undefined {
  if (stored === undefined) return undefined
  const item = source.decodeItem(stored)
  const group = groupOf(derivation, target, sourceId(source, stored), item)
  if (group === undefined) return undefined
  const key = keyValues(target, emptyItem(target, group))
  const shown = derivation.each?.(item as never) ?? item[derivation.attribute ?? '']
  // Whatever the order may depend on: all keys of the item.
  const keys = source.described.indexKeys.flatMap(({ sort }) => sort.map(({ attribute }) => stored[attribute]))
  return {
    id: JSON.stringify([derivation.target, ...key]),
    at: { group, parameters: item },
    shown: JSON.stringify([shown, ...keyValues(source, stored), ...keys], plainly),
  }
}

/** Reads the ranking of a group and writes it. Whoever reads first and writes last would undo what others have written
 *  meanwhile, so the version that was there before the items were read must still be there. It is also written if nothing has
 *  changed: one who has read before must not write any more. */
export async function rankGroup(
  runtime: DerivedRuntime,
  derivation: RankingDerivation,
  { group, parameters }: RankedGroup,
): Promise<void> {
  const target = runtime.entity(derivation.target)
  const empty = emptyItem(target, group)
  const Key = keyFromValues(target, keyValues(target, empty))
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const present = await runtime.read(target, Key)
    const value = await rankingOf(runtime, derivation, parameters)
    if (await write(runtime, target, derivation.set, { Key, empty, present, value })) return
    await runtime.connection.pause(Math.min(attempt, 5))
  }
  throw new ModelError(
    'CONFLICT',
    `Other writers kept changing the ${target.name} ${JSON.stringify(Key)}. Retry later.`,
  )
}

/** The list, or the first value, as it would be stored. */
export async function rankingOf(
  runtime: DerivedRuntime,
  derivation: RankingDerivation,
  parameters: PlainItem,
): Promise<AttributeValue | undefined> {
  const { source, target, via, n, each, attribute, set } = derivation
  const from = runtime.entity(source)
  const into = runtime.entity(target)
  const found: unknown[] = []
  for await (const item of runtime.query(via, source, parameters, { consistent: true, limit: n })) {
    const isHere = groupOf(derivation, into, sourceId(from, from.keyOf(item)), item) !== undefined
    if (isHere) found.push(each === undefined ? item[attribute ?? ''] : each(item as never))
    if (found.length === n) break
  }
  if (each !== undefined) return found.length === 0 ? undefined : into.encode(set, found)
  return found[0] === undefined ? undefined : into.encode(set, found[0])
}

async function write(
  runtime: DerivedRuntime,
  target: EntityRuntime,
  set: string,
  parts: {
    readonly Key: StoredItem
    readonly empty: StoredItem
    readonly present: StoredItem | undefined
    readonly value: AttributeValue | undefined
  },
): Promise<boolean> {
  const { Key, empty, present, value } = parts
  const placeholders = new Placeholders(target.storedNames)
  const version = present?.[versionAttribute]
  const versionName = placeholders.name(versionAttribute)
  const condition =
    version === undefined
      ? `attribute_not_exists(${versionName})`
      : `${versionName} = ${placeholders.value(version, 'version')}`
  const next = { N: String(Number(version?.N ?? 0) + 1) }
  const fixed = Object.entries({ ...empty, [versionAttribute]: next, ...(value !== undefined && { [set]: value }) })
    .filter(([name]) => Key[name] === undefined)
    .map(([name, each]) => `${placeholders.name(name)} = ${placeholders.value(each, name)}`)
  const removed = value === undefined ? ` REMOVE ${placeholders.name(set)}` : ''
  try {
    const input = {
      TableName: target.tableName,
      Key,
      UpdateExpression: `SET ${fixed.join(', ')}${removed}`,
      ConditionExpression: condition,
      ReturnConsumedCapacity: runtime.connection.capacity,
      ...placeholders.members(),
    }
    await runtime.connection.send('UpdateItem', input, runtime.meter)
    return true
  } catch (error) {
    if (error instanceof Error && passing.has(error.name)) return false
    throw error
  }
}

const passing: ReadonlySet<string> = new Set(['ConditionalCheckFailedException', 'TransactionConflictException'])

function plainly(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Uint8Array || value instanceof Set) return [...(value as Iterable<unknown>)]
  return value
}
