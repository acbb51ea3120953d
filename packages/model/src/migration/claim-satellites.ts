import type { StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { hasExpired } from '../client/present-item.ts'
import { decodeSatellite, satellitesOf, type Satellite } from '../client/satellites.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { always, conflict } from '../client/write-action.ts'
import type { WriteAction } from '../client/write-action.ts'
import type { EntityForms } from './entity-forms.ts'
import { isSameItem, send, unchanged, type Outcome } from './send-changes.ts'
import type { MigrationPair } from './migration-pair.ts'

const mostAttempts = 20

/** Writes the guards and index items that an item should have and lacks. One that names an owner which no longer has the value is
 *  replaced: code without the guard has changed it. */
export async function claimSatellites(
  pair: MigrationPair,
  forms: EntityForms,
  next: StoredItem,
  isDry: boolean,
): Promise<'same' | 'written' | 'taken' | 'retry'> {
  let outcome: 'same' | 'written' | 'taken' = 'same'
  const atMs = pair.connection.context.now().getTime()
  // What has expired has lost its guards, or is about to.
  if (hasExpired(forms.new, next, atMs)) return outcome
  for (const satellite of satellitesOf(forms.new, next).values()) {
    const found = await pair.read(forms.new, satellite.key)
    const present = found && forms.new.fromStored(found)
    if (present !== undefined && isSameItem(present, satellite.item)) continue
    const isFree = present === undefined || isOwn(forms, present, satellite) || hasExpired(forms.new, present, atMs)
    const isTaken = !isFree && (await isHeld(pair, forms, present))
    if (isTaken) {
      outcome = 'taken'
      continue
    }
    const actions = [unchanged(forms.new, forms.new.keyOfEncoded(next), next), put(forms, satellite, present)]
    const sent = isDry ? 'written' : await send(pair, actions)
    if (sent === 'retry' || sent === 'strange') return 'retry'
    outcome = sent === 'taken' || outcome === 'taken' ? 'taken' : 'written'
  }
  return outcome
}

function isOwn({ new: form }: EntityForms, present: StoredItem, { item }: Satellite): boolean {
  return form.primaryInputs.every((name) => isSameStored(present[name], item[name]))
}

/** Whether the item that a guard names exists, and should have this guard. */
async function isHeld(pair: MigrationPair, forms: EntityForms, guard: StoredItem): Promise<boolean> {
  return (await holderOf(pair, forms, guard)).isHeld
}

export async function holderOf(
  pair: MigrationPair,
  forms: EntityForms,
  guard: StoredItem,
): Promise<{ readonly isHeld: boolean; readonly owners: readonly WriteAction[] }> {
  const kind = pair.kindOf(forms.new.tableName, guard)
  const described = forms.new.described.satellites.find(({ name }) => name === kind)
  // The model no longer has such ones.
  if (described === undefined) return { isHeld: false, owners: [] }
  const owner = decodeSatellite(forms.new, described, guard)
  const owners: WriteAction[] = []
  for (const form of forms.isSamePlace(owner) ? [forms.new] : [forms.old, forms.new]) {
    const key = form.keyOf(owner)
    const stored = await pair.read(form, key)
    const item = stored && form.withKeyParts(stored)
    const keys = [...satellitesOf(forms.new, item).values()].map((each) => JSON.stringify(each.key))
    if (keys.includes(JSON.stringify(keyIn(forms, guard)))) return { isHeld: true, owners }
    owners.push(
      stored === undefined
        ? absent(form.tableName, form.described.key.partition.attribute, key)
        : unchanged(form, key, form.fromStored(stored)),
    )
  }
  return { isHeld: false, owners }
}

function keyIn({ new: form }: EntityForms, item: StoredItem): StoredItem {
  const { partition, sort } = form.described.key
  const names = [partition.attribute, ...(sort === undefined ? [] : [sort.attribute])]
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
}

function absent(TableName: string, partition: string, Key: StoredItem): WriteAction {
  const placeholders = new Placeholders()
  const ConditionExpression = `attribute_not_exists(${placeholders.name(partition)})`
  return {
    kind: 'ConditionCheck',
    input: { TableName, Key, ConditionExpression, ...placeholders.members() },
    failure: () => new Error('unreachable') as never,
    isStale: always,
  }
}

/** In place of what was found there. */
function put(
  { new: form }: EntityForms,
  { item, described }: Satellite,
  present: StoredItem | undefined,
): WriteAction {
  return {
    kind: 'Put',
    input: {
      TableName: form.tableName,
      Item: form.toStored(item),
      ...asFound(form.storedNames, described.key.partition.attribute, present),
    },
    failure: () => conflict(form),
    isStale: always,
  }
}

/** Deletes a guard or index item that nobody owns. Its owner may be changing just now: then it is looked at again. */
export async function removeOrphan(pair: MigrationPair, forms: EntityForms, found: StoredItem): Promise<Outcome> {
  const key = keyIn(forms, found)
  const { partition } = forms.new.described.key
  let guard: StoredItem | undefined = found
  for (let attempt = 0; attempt < mostAttempts && guard !== undefined; attempt++) {
    if (attempt > 0) await pair.connection.pause(Math.min(attempt, 6))
    const item = forms.new.fromStored(guard)
    const { isHeld: isOwned, owners } = await holderOf(pair, forms, item)
    if (isOwned) return 'same'
    const condition = asFound(forms.new.storedNames, partition.attribute, item)
    const removal: WriteAction = {
      kind: 'Delete',
      input: { TableName: forms.new.tableName, Key: key, ...condition },
      failure: () => conflict(forms.new),
      isStale: always,
    }
    if ((await send(pair, [...owners, removal])) === 'written') return 'written'
    guard = await pair.read(forms.new, key)
  }
  return guard === undefined ? 'same' : 'busy'
}

function asFound(
  names: ReadonlyMap<string, string>,
  partition: string,
  present: StoredItem | undefined,
): Partial<WriteAction['input']> {
  const placeholders = new Placeholders(names)
  const pins = Object.entries(present ?? {}).map(
    ([name, value]) => `${placeholders.name(name)} = ${placeholders.value(value, name)}`,
  )
  return {
    ConditionExpression:
      present === undefined ? `attribute_not_exists(${placeholders.name(partition)})` : pins.join(' AND '),
    ...placeholders.members(),
  }
}
