import type { AttributeValue, CancellationReason, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { ModelError } from '../errors.ts'
import type { CopyDerivation } from './derivation.ts'
import type { DerivedRuntime } from './derived-runtime.ts'
import { keyFromValues, keyValues } from './mark.ts'

const mostTargets = 99
const mostAttempts = 20

/** Writes the attributes of an item into all items that refer to it. */
export async function copyToAll(
  runtime: DerivedRuntime,
  derivation: CopyDerivation,
  key: StoredItem,
): Promise<void> {
  const source = runtime.entity(derivation.source)
  const present = await runtime.read(source, key)
  if (present === undefined) return
  const { parameters } = runtime.pattern(derivation.via)
  const target = runtime.entity(derivation.target)
  const given = pick(
    source.decodeItem(present),
    parameters.map(({ name }) => name),
  )
  // A global index cannot be read consistently.
  const index = target.table.indexes.find(({ name }) => name === runtime.pattern(derivation.via).index)
  const consistent = index?.kind !== 'global'
  let keys: StoredItem[] = []
  const copies = Object.entries(derivation.attributes)
  for await (const item of runtime.query(derivation.via, derivation.target, given, { consistent })) {
    // What an index shows may be older than it looks, so it is only believed if it was read consistently.
    const isDone =
      consistent &&
      copies.every(
        ([from, to]) => item[to] !== undefined && isSameStored(target.encode(to, item[to]), present[from]),
      )
    if (isDone) continue
    keys.push(target.keyOf(item))
    if (keys.length < mostTargets) continue
    await copyInto(runtime, derivation, key, keys)
    keys = []
  }
  if (keys.length > 0) await copyInto(runtime, derivation, key, keys)
}

/** The key of the item that an item refers to. */
export function referenceOf(source: EntityRuntime, item: PlainItem): StoredItem | undefined {
  const isWhole = source.primaryInputs.every((name) => item[name] !== undefined)
  return isWhole ? source.keyOf(pick(item, source.primaryInputs)) : undefined
}

/** Whether an item has the attributes of the one it refers to. */
export function isCopied(derivation: CopyDerivation, from: StoredItem, into: StoredItem): boolean {
  return Object.entries(derivation.attributes).every(([name, copy]) => isSameStored(from[name], into[copy]))
}

/** Writes the attributes of an item into those of the given items that do not have them yet. Reads the item once,
 *  however many refer to it. */
export async function copyIntoAll(
  runtime: DerivedRuntime,
  derivation: CopyDerivation,
  sourceKey: StoredItem,
  targets: readonly StoredItem[],
): Promise<void> {
  const from = await runtime.read(runtime.entity(derivation.source), sourceKey)
  if (from === undefined) return
  const target = runtime.entity(derivation.target)
  const keys = targets
    .filter((item) => !isCopied(derivation, from, item))
    .map((item) => keyFromValues(target, keyValues(target, item)))
  for (let at = 0; at < keys.length; at += mostTargets)
    await copyInto(runtime, derivation, sourceKey, keys.slice(at, at + mostTargets))
}

/** In halves if they do not go together: a transaction has at most 4 MB, and one of them may not be writable at all. */
export async function copyInto(
  runtime: DerivedRuntime,
  derivation: CopyDerivation,
  sourceKey: StoredItem,
  keys: readonly StoredItem[],
): Promise<void> {
  try {
    await copyTogether(runtime, derivation, sourceKey, keys)
  } catch (error) {
    const isOfSome = error instanceof Error && ofSome.has(error.name)
    if (!isOfSome || keys.length === 1) throw error
    const middle = Math.ceil(keys.length / 2)
    const halves = [keys.slice(0, middle), keys.slice(middle)]
    const failures: unknown[] = []
    for (const half of halves)
      await copyInto(runtime, derivation, sourceKey, half).catch((failure: unknown) => failures.push(failure))
    if (failures.length > 0) throw failures[0]
  }
}

const ofSome: ReadonlySet<string> = new Set(['ValidationException', 'TransactionCanceledException'])

/** Writes the attributes as they are now: the transaction checks that they still are, so that the value that is written last is
 *  the newest. Items that are gone, or refer to another item by now, are left alone. */
async function copyTogether(
  runtime: DerivedRuntime,
  derivation: CopyDerivation,
  sourceKey: StoredItem,
  targetKeys: readonly StoredItem[],
): Promise<void> {
  const source = runtime.entity(derivation.source)
  let keys = targetKeys
  let from = await runtime.read(source, sourceKey)
  for (let attempt = 1; from !== undefined && keys.length > 0; attempt++) {
    const present = from
    const steps = [
      check(source, sourceKey, derivation, present),
      ...keys.map((key) => update(runtime, derivation, present, key)),
    ]
    const reasons = await send(runtime, steps)
    if (reasons === undefined) return
    if (attempt === mostAttempts)
      throw new ModelError(
        'CONFLICT',
        `Other writers kept changing ${source.name} ${JSON.stringify(sourceKey)}. Retry later.`,
      )
    const gone = new Set(keys.filter((_, i) => reasons[i + 1]?.Code === 'ConditionalCheckFailed'))
    keys = keys.filter((key) => !gone.has(key))
    if (gone.size === 0) await runtime.connection.pause(Math.min(attempt, 5))
    from = await runtime.read(source, sourceKey)
  }
}

function check(
  source: EntityRuntime,
  Key: StoredItem,
  { attributes }: CopyDerivation,
  from: StoredItem,
): TransactWriteItem {
  const placeholders = new Placeholders(source.storedNames)
  const terms = [
    `attribute_exists(${placeholders.name(source.table.partitionKey.name)})`,
    ...Object.keys(attributes).map((name) => is(placeholders, name, from[name])),
  ]
  const ConditionExpression = terms.join(' AND ')
  return { ConditionCheck: { TableName: source.tableName, Key, ConditionExpression, ...placeholders.members() } }
}

function update(
  runtime: DerivedRuntime,
  { attributes, source, target }: CopyDerivation,
  from: StoredItem,
  Key: StoredItem,
): TransactWriteItem {
  const owner = runtime.entity(source)
  const entity = runtime.entity(target)
  const placeholders = new Placeholders(entity.storedNames)
  const copies = Object.entries(attributes).map(([name, copy]) => [copy, from[name]] as const)
  const set = copies.flatMap(([name, value]) =>
    value === undefined ? [] : [`${placeholders.name(name)} = ${placeholders.value(value, name)}`],
  )
  const removed = copies.flatMap(([name, value]) => (value === undefined ? [placeholders.name(name)] : []))
  const UpdateExpression = [
    ...(set.length === 0 ? [] : [`SET ${set.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`REMOVE ${removed.join(', ')}`]),
  ].join(' ')
  const references = owner.primaryInputs.filter((name) => entity.byName.get(name)?.described.isStored === true)
  const item = owner.decodePossible(from)
  const terms = [
    `attribute_exists(${placeholders.name(entity.table.partitionKey.name)})`,
    ...references.map((name) => is(placeholders, name, entity.encode(name, item[name]))),
  ]
  const place = { TableName: entity.tableName, Key }
  return {
    Update: { ...place, UpdateExpression, ConditionExpression: terms.join(' AND '), ...placeholders.members() },
  }
}

/** Undefined if it was done; otherwise why not. */
async function send(
  runtime: DerivedRuntime,
  TransactItems: TransactWriteItem[],
): Promise<readonly CancellationReason[] | undefined> {
  try {
    const input = { TransactItems, ReturnConsumedCapacity: runtime.connection.capacity }
    await runtime.connection.send('TransactWriteItems', input, runtime.meter)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') throw error
    const reasons = (error as { CancellationReasons?: readonly CancellationReason[] }).CancellationReasons ?? []
    const isPassing = reasons.every(({ Code = 'None' }) => passing.has(Code))
    if (!isPassing) throw error
    return reasons
  }
}

const passing: ReadonlySet<string> = new Set([
  'None',
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

function is(placeholders: Placeholders, name: string, value: AttributeValue | undefined): string {
  return value === undefined
    ? `attribute_not_exists(${placeholders.name(name)})`
    : `${placeholders.name(name)} = ${placeholders.value(value, name)}`
}

function pick(item: PlainItem, names: readonly string[]): PlainItem {
  return Object.fromEntries(names.map((name) => [name, item[name]]))
}
