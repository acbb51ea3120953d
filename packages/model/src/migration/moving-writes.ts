import type { Connection, Meter } from '../client/connection.ts'
import type { EntityWrites } from '../client/entity-client.ts'
import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import { defaultOf } from '../client/entity-runtime.ts'
import { Placeholders } from '../client/placeholders.ts'
import type { Plan, PlannedWrite } from '../client/planned-writes.ts'
import { check, create, modify, put, remove, updateByReading, upsert } from '../client/planned-writes.ts'
import { presentItem, type Present } from '../client/present-item.ts'
import type { Inputs, Transport } from '../client/request-types.ts'
import { satelliteActions } from '../client/satellite-actions.ts'
import { satellitesOf, type Satellite } from '../client/satellites.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { always, conflict, unchangedText } from '../client/write-action.ts'
import type { WriteAction } from '../client/write-action.ts'
import type { EntityForms } from './entity-forms.ts'

/** Which form writes leave behind. `was`: the old one, and the new one only where an item already has it. `both`: both, the same.
 *  `new`: the new one; the old one is removed. */
export type Writes = 'was' | 'both' | 'new'

/** The writes of an entity whose items can be in two places. Each reads both, and then changes both in one transaction, on the
 *  condition that nothing happened in either meanwhile: so no version of the code loses what another has written. */
export function movingWrites(forms: EntityForms, writes: Writes): EntityWrites {
  const moving = (
    keyOf: (connection: Connection) => PlainItem,
    make: (form: EntityRuntime, key: PlainItem) => PlannedWrite,
  ): PlannedWrite => ({
    entity: forms.new,
    plan: (connection, meter) => {
      const key = keyOf(connection)
      return planInBoth(forms, writes, key, (form) => make(form, key), connection, meter)
    },
  })
  const ofItem = (item: PlainItem, make: (form: EntityRuntime, item: PlainItem) => PlannedWrite): PlannedWrite =>
    moving((connection) => withKeyDefaults(forms.new, item, connection), make)
  return {
    create: (item) => ofItem(item, create),
    put: (item, options) => ofItem(item, (form, whole) => put(form, whole, options ?? {})),
    update: (key, changes, options) =>
      moving(
        () => key,
        (form) => updateByReading(form, key, changes, options ?? {}),
      ),
    modify: (key, change, options) =>
      moving(
        () => key,
        (form) => modify(form, key, change, options),
      ),
    upsert: (item, changes) => ofItem(item, (form, whole) => upsert(form, whole, changes, true)),
    delete: (key, options) =>
      moving(
        () => key,
        (form) => remove(form, key, options ?? {}),
      ),
    check: (key, condition) => ({
      entity: forms.new,
      plan: async (connection, meter) => {
        const { home } = await readBoth(forms, key, connection, meter)
        return check(home ?? forms.new, key, condition).plan(connection, meter)
      },
    }),
  }
}

interface Read {
  readonly old: Present
  readonly new: Present
  /** Where the item is; the new form if it is in both. */
  readonly home: EntityRuntime | undefined
}

/** The old place first: items only ever go from there to the new one, so that one on its way is seen. */
async function readBoth(forms: EntityForms, key: PlainItem, connection: Connection, meter: Meter): Promise<Read> {
  const old = await presentItem(connection, forms.old, forms.old.keyOf(key), meter)
  const fresh = await presentItem(connection, forms.new, forms.new.keyOf(key), meter)
  const home = fresh.item !== undefined ? forms.new : old.item !== undefined ? forms.old : undefined
  return { old, new: fresh, home }
}

async function planInBoth(
  forms: EntityForms,
  writes: Writes,
  key: PlainItem,
  make: (form: EntityRuntime) => PlannedWrite,
  connection: Connection,
  meter: Meter,
): Promise<Plan> {
  if (forms.isSamePlace(key)) {
    return forms.isRenamed
      ? planInPlace(forms, writes, key, make, connection, meter)
      : make(writes === 'new' ? forms.new : forms.old).plan(connection, meter)
  }
  const read = await readBoth(forms, key, connection, meter)
  const main = read.home ?? (writes === 'was' ? forms.old : forms.new)
  const present = main === forms.old ? read.old : read.new
  const answered = connection.with({ transport: answering(connection.transport, main, key, present.item) })
  const { actions, item } = await make(main).plan(answered, meter)
  const [action] = actions
  if (action === undefined) return { actions, item }
  const isRemoval = action.kind === 'Delete'
  const next = isRemoval ? undefined : item
  const written = twoForms(forms, writes, { ...read, key }, main, action, next, connection)
  return { actions: written, item: item ?? present.item }
}

/** One item whose attributes have other names now. It is written as a whole: so that no name is left behind with an older value,
 *  and what adds to a value finds it. */
async function planInPlace(
  forms: EntityForms,
  writes: Writes,
  key: PlainItem,
  make: (form: EntityRuntime) => PlannedWrite,
  connection: Connection,
  meter: Meter,
): Promise<Plan> {
  const input = { TableName: forms.new.tableName, Key: forms.new.keyOf(key), ConsistentRead: true }
  const capacity = { ReturnConsumedCapacity: connection.capacity }
  const { Item: stored } = await connection.send('GetItem', { ...input, ...capacity }, meter)
  const isOld = stored === undefined ? writes === 'was' : forms.hasOldNames(stored)
  const main = isOld ? forms.old : forms.new
  const present = stored && main.fromStored(stored)
  const answered = connection.with({ transport: answering(connection.transport, main, key, present) })
  const { actions, item } = await make(main).plan(answered, meter)
  const [action, ...more] = actions
  if (action === undefined || action.kind === 'Delete' || item === undefined) return { actions, item }
  const other = forms.convert(main, item)
  const [old, fresh] = isOld ? [item, other] : [other, item]
  const Item = {
    ...(writes !== 'new' && forms.old.toStored(forms.withKeys(forms.old, old))),
    ...(writes !== 'was' && forms.new.toStored(forms.withKeys(forms.new, fresh))),
  }
  const { TableName } = action.input
  return {
    actions: [{ ...action, kind: 'Put', input: { TableName, Item, ...conditionOf(action) } }, ...more],
    item,
  }
}

/** The write of one form, carried out in both. */
function twoForms(
  forms: EntityForms,
  writes: Writes,
  read: Read & { readonly key: PlainItem },
  main: EntityRuntime,
  action: WriteAction,
  next: StoredItem | undefined,
  connection: Connection,
): readonly WriteAction[] {
  const other = forms.other(main)
  const keepsNew = writes !== 'was' || read.new.item !== undefined
  const keepsOld =
    writes === 'both' || (writes === 'was' && (read.old.item !== undefined || read.new.item === undefined))
  const keeps = (form: EntityRuntime): boolean => (form === forms.new ? keepsNew : keepsOld)
  const isBeside = keepsOld && keepsNew && next !== undefined
  const whole = next === undefined || !keeps(other) ? undefined : forms.convert(main, next)
  const converted = whole !== undefined && other === forms.new && isBeside ? forms.beside(whole) : whole
  const kept = new Map<EntityRuntime, StoredItem | undefined>([
    [main, keeps(main) ? next : undefined],
    [other, converted],
  ])
  const before = new Map<string, Satellite>([...read.old.satellites, ...read.new.satellites])
  const after = new Map([forms.old, forms.new].flatMap((form) => [...satellitesOf(form, kept.get(form))]))
  const present = other === forms.old ? read.old : read.new
  const own =
    isBeside && main === forms.new && forms.sharedKeys.size > 0
      ? putInstead(main, action, forms.beside(next))
      : action
  return [
    next === undefined || keeps(main) ? own : removalInstead(main, action, next),
    besides(other, other.keyOf(read.key), present.item, converted),
    ...satelliteActions(forms.new, before, undefined, connection.context, after),
  ]
}

/** What is written at one place is removed at the other, on the same condition. */
function removalInstead(form: EntityRuntime, action: WriteAction, item: StoredItem): WriteAction {
  const input = { TableName: form.tableName, Key: form.keyOfEncoded(item), ...conditionOf(action) }
  return { ...action, kind: 'Delete', input }
}

/** The whole item instead of a change of it, on the same condition. */
function putInstead(form: EntityRuntime, action: WriteAction, item: StoredItem): WriteAction {
  return {
    ...action,
    kind: 'Put',
    input: { TableName: form.tableName, Item: form.toStored(item), ...conditionOf(action) },
  }
}

/** The condition of a write, without what only the write needs. */
function conditionOf(action: WriteAction): Partial<WriteAction['input']> {
  const { ConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = action.input
  const used = new Set(ConditionExpression.match(/[#:]\w+/g))
  const only = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(all).filter(([placeholder]) => used.has(placeholder)))
  const [names, values] = [only(ExpressionAttributeNames), only(ExpressionAttributeValues)]
  return {
    ...(ConditionExpression !== '' && { ConditionExpression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  }
}

/** What happens at the other place, on the condition that it is still as it was read. */
export function besides(
  form: EntityRuntime,
  key: StoredItem,
  read: StoredItem | undefined,
  next: StoredItem | undefined,
): WriteAction {
  const placeholders = new Placeholders(form.storedNames)
  const condition = {
    TableName: form.tableName,
    ConditionExpression: unchangedText(form, read, placeholders),
    ...placeholders.members(),
  }
  const common = { failure: () => conflict(form), isStale: always }
  if (next !== undefined) return { kind: 'Put', input: { ...condition, Item: form.toStored(next) }, ...common }
  const kind = read === undefined ? 'ConditionCheck' : 'Delete'
  return { kind, input: { ...condition, Key: key }, ...common }
}

function answering(
  transport: Transport,
  form: EntityRuntime,
  key: PlainItem,
  item: StoredItem | undefined,
): Transport {
  const own = form.keyOf(key)
  return async <Op extends keyof Inputs>(operation: Op, input: Inputs[Op], signal: AbortSignal | undefined) => {
    if (operation === 'GetItem') {
      const { TableName, Key } = input as Inputs['GetItem']
      if (TableName === form.tableName && isSameStored({ M: own }, { M: Key ?? {} })) {
        const answer = { $metadata: {}, ...(item !== undefined && { Item: form.toStored(item) }) }
        return answer
      }
    }
    return transport(operation, input, signal)
  }
}

/** A key may contain what is drawn for a new item: it must be the same in both forms. */
function withKeyDefaults(form: EntityRuntime, item: PlainItem, { context }: Connection): PlainItem {
  const whole: PlainItem = { ...item }
  for (const name of form.primaryInputs) {
    const definition = form.byName.get(name)?.definition
    if (definition === undefined || definition.computed !== undefined) continue
    whole[name] ??= definition.onWrite?.(context) ?? defaultOf(definition, context)
  }
  return whole
}
