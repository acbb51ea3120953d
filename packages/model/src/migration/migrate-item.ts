import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import { updateText } from '../client/plan-update.ts'
import { satelliteActions } from '../client/satellite-actions.ts'
import { satellitesOf } from '../client/satellites.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { always, conflict } from '../client/write-action.ts'
import type { WriteAction } from '../client/write-action.ts'
import type { EntityForms } from './entity-forms.ts'
import { claimSatellites } from './claim-satellites.ts'
import type { MigrationPair } from './migration-pair.ts'
import { besides } from './moving-writes.ts'
import { isSameItem, send, unchanged, type Outcome, type Tried } from './send-changes.ts'

/** `both` leaves the old form of an item beside the new one; `new` removes it. */
export type Keeps = 'both' | 'new'

const mostAttempts = 20

/** Brings one item into its new form, on the condition that nobody changed it meanwhile; otherwise it is read and tried again. */
export async function migrateItem(
  pair: MigrationPair,
  forms: EntityForms,
  table: string,
  found: StoredItem,
  keeps: Keeps,
  isDry: boolean,
): Promise<Outcome> {
  let stored: StoredItem | undefined = found
  const form = forms.formOf(stored, table)
  if (form === undefined) return 'strange'
  const key = form.keyOfEncoded(form.withKeyParts(stored))
  for (let attempt = 0; attempt < mostAttempts && stored !== undefined; attempt++) {
    if (attempt > 0) await pair.connection.pause(Math.min(attempt, 6))
    const tried =
      form === forms.old && forms.isMoved && !isSameKey(forms, form.withKeyParts(stored))
        ? await moveAndClaim(pair, forms, stored, keeps, isDry)
        : await rewrite(pair, forms, form, stored, keeps, isDry)
    if (tried !== 'retry') return tried
    stored = await pair.read(form, key)
  }
  // Someone has deleted it, or moved it: there is nothing left to do here.
  return stored === undefined ? 'same' : 'busy'
}

function isSameKey(forms: EntityForms, item: StoredItem): boolean {
  const [old, fresh] = [forms.old.keyOfEncoded(item), forms.new.keyOfEncoded(forms.convert(forms.old, item))]
  return forms.old.tableName === forms.new.tableName && isSameStored({ M: old }, { M: fresh })
}

/** Guards that the old form had go over with it. Others may be missing: where it is now, nobody may look for it again. */
async function moveAndClaim(
  pair: MigrationPair,
  forms: EntityForms,
  stored: StoredItem,
  keeps: Keeps,
  isDry: boolean,
): Promise<Tried> {
  const moved = await move(pair, forms, stored, keeps, isDry)
  if (moved !== 'written' || isDry || forms.new.described.satellites.length === 0) return moved
  const whole = forms.convert(forms.old, stored)
  let next: StoredItem | undefined = keeps === 'both' ? forms.beside(whole) : whole
  for (let attempt = 0; attempt < mostAttempts && next !== undefined; attempt++) {
    const claimed = await claimSatellites(pair, forms, next, isDry)
    if (claimed !== 'retry') return claimed === 'same' ? 'written' : claimed
    const present = await pair.read(forms.new, forms.new.keyOfEncoded(next))
    next = present && forms.new.withKeyParts(present)
  }
  return next === undefined ? 'written' : 'busy'
}

/** From one key to another, in a transaction. */
async function move(
  pair: MigrationPair,
  forms: EntityForms,
  stored: StoredItem,
  keeps: Keeps,
  isDry: boolean,
): Promise<Tried> {
  const whole = forms.convert(forms.old, stored)
  const next = keeps === 'both' ? forms.beside(whole) : whole
  const key = forms.new.keyOfEncoded(next)
  // Usually nothing is there yet.
  const tried = keeps === 'new' ? await carryOut(pair, forms, stored, undefined, next, keeps, isDry) : 'retry'
  if (tried !== 'retry') return tried
  const present = await pair.read(forms.new, key)
  const known = present && forms.new.fromStored(present)
  if (known !== undefined && keeps === 'both' && isSameItem(known, next)) return 'same'
  return carryOut(pair, forms, stored, known, next, keeps, isDry)
}

async function carryOut(
  pair: MigrationPair,
  forms: EntityForms,
  stored: StoredItem,
  known: StoredItem | undefined,
  next: StoredItem,
  keeps: Keeps,
  isDry: boolean,
): Promise<Tried> {
  if (isDry) return 'written'
  const { context } = pair.connection
  const read = forms.old.withKeyParts(stored)
  const [key, pinned] = [forms.old.keyOfEncoded(read), forms.old.fromStored(stored)]
  const before = new Map([...satellitesOf(forms.old, read), ...satellitesOf(forms.new, known)])
  const kept = keeps === 'both' ? satellitesOf(forms.old, read) : new Map<string, never>()
  const after = new Map([...kept, ...satellitesOf(forms.new, next)])
  const actions = [
    keeps === 'new' ? besides(forms.old, key, pinned, undefined) : unchanged(forms.old, key, pinned),
    besides(forms.new, forms.new.keyOfEncoded(next), known, next),
    ...satelliteActions(forms.new, before, undefined, context, after),
  ]
  return send(pair, actions)
}

/** In its place: keys of indexes, attributes, the name of its entity, guards and index items. */
async function rewrite(
  pair: MigrationPair,
  forms: EntityForms,
  form: EntityRuntime,
  stored: StoredItem,
  keeps: Keeps,
  isDry: boolean,
): Promise<Tried> {
  const isOld = form === forms.old || forms.isOldInPlace(stored)
  const whole = isOld ? forms.convert(forms.old, stored) : forms.renew(stored)
  // Its old form may be in the indexes instead.
  const next = keeps === 'both' ? forms.beside(whole, stored) : whole
  const wanted = forms.new.toStored(next)
  const update = updateOf(forms, isOld ? forms.old : forms.new, stored, wanted, keeps)
  if (update !== undefined && !isDry) {
    const tried = await send(pair, [update])
    if (tried !== 'written') return tried
  }
  const claimed = await claimSatellites(pair, forms, next, isDry)
  return claimed === 'same' && update !== undefined ? 'written' : claimed
}

function updateOf(
  forms: EntityForms,
  form: EntityRuntime,
  stored: StoredItem,
  wanted: StoredItem,
  keeps: Keeps,
): WriteAction | undefined {
  const placeholders = new Placeholders()
  const names = [...new Set([...Object.keys(stored), ...Object.keys(wanted)])].filter(
    (name) => !isSameStored(stored[name], wanted[name]),
  )
  const sets = names.filter((name) => wanted[name] !== undefined)
  const removes = keeps === 'new' ? names.filter((name) => wanted[name] === undefined) : []
  if (sets.length + removes.length === 0) return undefined
  const text = updateText({
    SET: sets.map(
      (name) => `${placeholders.name(name)} = ${placeholders.value(wanted[name] ?? ({} as never), name)}`,
    ),
    REMOVE: removes.map((name) => placeholders.name(name)),
    ADD: [],
    DELETE: [],
  })
  return {
    kind: 'Update',
    input: {
      TableName: form.tableName,
      Key: form.keyOfEncoded(form.withKeyParts(stored)),
      UpdateExpression: text,
      ConditionExpression: pinned(stored, form, placeholders),
      ...placeholders.members(),
    },
    failure: () => conflict(forms.new),
    isStale: always,
  }
}

/** That the item is as it was read: by its version, or by everything in it. */
function pinned(stored: StoredItem, form: EntityRuntime, placeholders: Placeholders): string {
  const { partition, sort } = form.described.key
  const version = form.versionAttribute
  const pins =
    version !== undefined && stored[version] !== undefined
      ? [version]
      : Object.keys(stored).filter((name) => name !== partition.attribute && name !== sort?.attribute)
  const terms = pins.map(
    (name) => `${placeholders.name(name)} = ${placeholders.value(stored[name] ?? ({} as never), name)}`,
  )
  return [`attribute_exists(${placeholders.name(partition.attribute)})`, ...terms].join(' AND ')
}
