import { ModelError } from '../errors.ts'
import { shown } from '../schema/codec.ts'
import { applyChanges } from './apply-changes.ts'
import { conditionText } from './conditions.ts'
import type { Connection, Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { Expressions } from './expressions.ts'
import { planPut, planReplace, satelliteActions, withoutDerived } from './plan-replace.ts'
import type { WriteOptions } from './plan-update.ts'
import { assertChangeable, notFound, planUpdate, updateFailure } from './plan-update.ts'
import { mergeUpsert, planUpsert } from './plan-upsert.ts'
import { satelliteSources } from './satellites.ts'
import { allOf, conflict, unchangedText } from './write-action.ts'
import type { WriteAction } from './write-action.ts'

/** A write that was asked for. Planning it may read; carrying it out is one request or one transaction. */
export interface PlannedWrite {
  readonly entity: EntityRuntime
  readonly plan: (connection: Connection, meter: Meter) => Promise<Plan>
}

export interface Plan {
  readonly actions: readonly WriteAction[]
  /** The item after the write, or before a removal; undefined if only the database's answer tells. */
  readonly item: StoredItem | undefined
}

/** Refused if the item exists. */
export function create(entity: EntityRuntime, input: PlainItem): PlannedWrite {
  return {
    entity,
    plan: async ({ context }) => {
      const { versionAttribute } = entity
      const item = entity.encodeItem(
        versionAttribute === undefined ? input : { ...input, [versionAttribute]: 1 },
        context,
      )
      const expressions = new Expressions()
      const main: WriteAction = {
        kind: 'Put',
        input: {
          TableName: entity.tableName,
          Item: item,
          ConditionExpression: `attribute_not_exists(${expressions.name(entity.described.key.partition.attribute)})`,
          ...expressions.attributes(),
        },
        failure: (found) =>
          new ModelError(
            'ALREADY_EXISTS',
            `${entity.name} ${shown(keyShown(entity, item))} already exists. Use put to replace it, or update to change it.`,
            { entity: entity.name, item: found === undefined ? undefined : entity.decodeItem(found) },
          ),
        isPinned: false,
      }
      return { actions: [main, ...satelliteActions(entity, undefined, item)], item }
    },
  }
}

/** Replaces the item if it exists. */
export function put(entity: EntityRuntime, input: PlainItem, options: WriteOptions): PlannedWrite {
  return {
    entity,
    plan: async (connection, meter) => {
      const { versionAttribute } = entity
      const given = versionAttribute === undefined ? undefined : input[versionAttribute]
      const version = typeof given === 'number' ? given : undefined
      const wanted = withoutDerived(entity, input)
      const next = entity.encodeItem(
        versionAttribute === undefined ? wanted : { ...wanted, [versionAttribute]: (version ?? 0) + 1 },
        connection.context,
      )
      const needsRead = entity.described.satellites.length > 0
      const read = needsRead ? await readForWrite(connection, entity, entity.keyOfEncoded(next), meter) : undefined
      // A version that is not the present one is for the caller to resolve, not for another attempt.
      if (needsRead && versionAttribute !== undefined && read?.[versionAttribute]?.N !== versionText(version)) {
        throw conflict(entity)
      }
      return { actions: planPut(entity, read, next, { if: options.if, version }), item: next }
    },
  }
}

function versionText(version: number | undefined): string | undefined {
  return version === undefined ? undefined : String(version)
}

/** Changes some attributes of an item that exists. One request, unless guards or index items are concerned. */
export function update(
  entity: EntityRuntime,
  key: PlainItem,
  changes: PlainItem,
  options: WriteOptions,
): PlannedWrite {
  const sources = entity.described.satellites.length === 0 ? undefined : satelliteSources(entity)
  if (sources === undefined || !touches(entity, changes, sources)) {
    return {
      entity,
      plan: async ({ context }) => ({
        actions: [planUpdate(entity, key, changes, options, context)],
        item: undefined,
      }),
    }
  }
  const primary = new Set(entity.primaryInputs)
  for (const [name, change] of Object.entries(changes)) {
    if (change !== undefined) assertChangeable(entity, entity.attribute(name), primary)
  }
  const change = (item: PlainItem, read: StoredItem): PlainItem => {
    const { versionAttribute } = entity
    if (options.version !== undefined && read[versionAttribute ?? '']?.N !== String(options.version))
      throw conflict(entity)
    return applyChanges(item, changes)
  }
  return modify(entity, key, change, options)
}

/** Whether a change concerns an attribute, or one from which it is computed. */
function touches(entity: EntityRuntime, changes: PlainItem, attributes: ReadonlySet<string>): boolean {
  const changed = new Set(Object.keys(changes).filter((name) => changes[name] !== undefined))
  return [...attributes].some((attribute) => {
    const definition = entity.byName.get(attribute)?.definition
    const from = definition?.computed?.from ?? (definition?.shard?.by === undefined ? [] : [definition.shard.by])
    return changed.has(attribute) || from.some((source) => changed.has(source))
  })
}

/** Reads the item, lets `change` make another of it, and writes the difference if nobody was faster. */
export function modify(
  entity: EntityRuntime,
  key: PlainItem,
  change: (item: PlainItem, read: StoredItem) => PlainItem | undefined | Promise<PlainItem | undefined>,
  options: WriteOptions = {},
): PlannedWrite {
  return {
    entity,
    plan: async (connection, meter) => {
      const read = await readForWrite(connection, entity, entity.keyOf(key), meter)
      if (read === undefined) throw notFound(entity, key)
      const wanted = await change(entity.decodeItem(read), read)
      if (wanted === undefined) return { actions: [], item: read }
      const { actions, item } = planReplace(entity, read, wanted, connection.context)
      return { actions: withCondition(entity, key, actions, options), item }
    },
  }
}

/** A condition of the caller's beside the one that nothing changed; its failure is final. */
function withCondition(
  entity: EntityRuntime,
  key: PlainItem,
  actions: readonly WriteAction[],
  options: WriteOptions,
): readonly WriteAction[] {
  const [main, ...others] = actions
  if (options.if === undefined || main === undefined) return actions
  const expressions = new Expressions()
  const check: WriteAction = {
    ...main,
    input: {
      ...main.input,
      ...mergeExpressions(main, expressions, conditionText(entity, options.if, expressions)),
    },
    failure: (found) => updateFailure(entity, key, options, found),
    isPinned: false,
  }
  return [check, ...others]
}

/** Values of the second expression get names of their own. */
function mergeExpressions({ input }: WriteAction, more: Expressions, text: string): object {
  const attributes = more.attributes()
  const values = Object.entries(attributes.ExpressionAttributeValues ?? {})
  return {
    ConditionExpression: allOf(input.ConditionExpression, text.replaceAll(/:v(\d+)/g, ':c$1')),
    ExpressionAttributeNames: { ...input.ExpressionAttributeNames, ...attributes.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...input.ExpressionAttributeValues,
      ...Object.fromEntries(values.map(([name, value]) => [name.replace(':v', ':c'), value])),
    },
  }
}

/** Creates the item, or changes the one that exists. */
export function upsert(entity: EntityRuntime, input: PlainItem): PlannedWrite {
  return {
    entity,
    plan: async (connection, meter) => {
      const { context } = connection
      if (entity.described.satellites.length === 0)
        return { actions: [planUpsert(entity, input, context)], item: undefined }
      const read = await readForWrite(connection, entity, entity.keyOf(input), meter)
      if (read !== undefined) return planReplace(entity, read, mergeUpsert(entity, read, input), context)
      const { actions, item } = await create(entity, input).plan(connection, meter)
      // Someone may create it just now; then there is something to change.
      return { actions: actions.map((action, i) => (i === 0 ? { ...action, isPinned: true } : action)), item }
    },
  }
}

/** Removes the item, if there is one. */
export function remove(entity: EntityRuntime, key: PlainItem, options: WriteOptions): PlannedWrite {
  const stored = entity.keyOf(key)
  const planned = (read: StoredItem | undefined): readonly WriteAction[] => {
    const expressions = new Expressions()
    const { versionAttribute } = entity
    const condition = allOf(
      read === undefined ? undefined : unchangedText(entity, read, expressions),
      options.version === undefined || versionAttribute === undefined
        ? undefined
        : `${expressions.name(versionAttribute)} = ${expressions.value({ N: String(options.version) })}`,
      options.if === undefined ? undefined : conditionText(entity, options.if, expressions),
    )
    const main: WriteAction = {
      kind: 'Delete',
      input: {
        TableName: entity.tableName,
        Key: stored,
        ...(condition !== undefined && { ConditionExpression: condition }),
        ...expressions.attributes(),
      },
      failure: (found) => updateFailure(entity, key, options, found),
      isPinned: read !== undefined && options.if === undefined && options.version === undefined,
    }
    return [main, ...satelliteActions(entity, read, undefined)]
  }
  return {
    entity,
    plan: async (connection, meter) => {
      if (entity.described.satellites.length === 0) return { actions: planned(undefined), item: undefined }
      const read = await readForWrite(connection, entity, stored, meter)
      return { actions: planned(read), item: read }
    },
  }
}

/** Only a condition on an item that is not written itself; for transactions. */
export function check(entity: EntityRuntime, key: PlainItem, condition: object): PlannedWrite {
  return {
    entity,
    plan: async () => {
      const expressions = new Expressions()
      const action: WriteAction = {
        kind: 'ConditionCheck',
        input: {
          TableName: entity.tableName,
          Key: entity.keyOf(key),
          ConditionExpression: conditionText(entity, condition, expressions),
          ...expressions.attributes(),
        },
        failure: (found) => updateFailure(entity, key, {}, found),
        isPinned: false,
      }
      return { actions: [action], item: undefined }
    },
  }
}

async function readForWrite(
  connection: Connection,
  entity: EntityRuntime,
  key: StoredItem,
  meter: Meter,
): Promise<StoredItem | undefined> {
  const input = {
    TableName: entity.tableName,
    Key: key,
    ConsistentRead: true,
    ReturnConsumedCapacity: connection.capacity,
  }
  const { Item } = await connection.send('GetItem', input, meter)
  return Item
}

function keyShown(entity: EntityRuntime, stored: StoredItem): PlainItem {
  return Object.fromEntries(entity.primaryInputs.map((name) => [name, stored[name]?.S ?? stored[name]?.N]))
}
