import type { DefaultContext } from '../schema/attribute.ts'
import { shown } from '../schema/value-errors.ts'
import { applyChanges } from './apply-changes.ts'
import { conditionText } from './conditions.ts'
import type { Connection, Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { itemPath } from './item-path.ts'
import { planPut, planReplace, withoutDerived, withoutOnWrite } from './plan-replace.ts'
import type { WriteOptions } from './plan-update.ts'
import { assertChangeable, notFound, planUpdate, updateFailure } from './plan-update.ts'
import { mergeUpsert, planUpsert, splitUpsert } from './plan-upsert.ts'
import { nothingPresent, presentItem } from './present-item.ts'
import type { Present } from './present-item.ts'
import { satelliteActions } from './satellite-actions.ts'
import { satelliteSources } from './satellites.ts'
import {
  allOf,
  always,
  conflict,
  isChanged,
  kindOrNothingText,
  kindText,
  never,
  otherKind,
  isOfKind,
  unchangedText,
} from './write-action.ts'
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
      const placeholders = entity.placeholders()
      const main: WriteAction = {
        kind: 'Put',
        input: {
          TableName: entity.tableName,
          Item: entity.toStored(item),
          ConditionExpression: placeholders.absent(entity.partition),
          ...placeholders.members(),
        },
        failure: (found) =>
          found !== undefined && !isOfKind(entity, found)
            ? otherKind(entity)
            : entity.error(
                'ALREADY_EXISTS',
                `${entity.name} ${shown(keyShown(entity, item))} already exists. Use put to replace it, or update to change it.`,
                undefined,
                { item: found === undefined ? undefined : entity.decodePossible(found) },
              ),
        isStale: never,
      }
      return { actions: [main, ...satelliteActions(entity, new Map(), item, context)], item }
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
      const wanted = withoutOnWrite(entity, withoutDerived(entity, input))
      const next = entity.encodeItem(
        versionAttribute === undefined ? wanted : { ...wanted, [versionAttribute]: (version ?? 0) + 1 },
        connection.context,
      )
      const needsRead = entity.described.satellites.length > 0
      const present = needsRead
        ? await presentItem(connection, entity, entity.keyOfEncoded(next), meter)
        : nothingPresent
      const read = present.item
      if (read !== undefined && !isOfKind(entity, read)) throw otherKind(entity)
      // A version that is not the present one is for the caller to resolve, not for another attempt.
      if (needsRead && versionAttribute !== undefined && read?.[versionAttribute]?.N !== versionText(version)) {
        throw conflict(entity)
      }
      return {
        actions: planPut(entity, present, next, { if: options.if, version }, connection.context),
        item: next,
      }
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
  return updateByReading(entity, key, changes, options)
}

/** The same for an item that must be read before, so that what depends on it is written along. */
export function updateByReading(
  entity: EntityRuntime,
  key: PlainItem,
  changes: PlainItem,
  options: WriteOptions,
): PlannedWrite {
  const primary = new Set(entity.primaryInputs)
  for (const [name, change] of Object.entries(changes)) {
    if (change !== undefined) assertChangeable(entity, itemPath(entity, name).attribute, primary)
  }
  const change = (item: PlainItem, read: StoredItem): PlainItem => {
    const { versionAttribute } = entity
    if (options.version !== undefined && read[versionAttribute ?? '']?.N !== String(options.version))
      throw conflict(entity)
    return applyChanges(entity, item, changes)
  }
  return modify(entity, key, change, options, true)
}

/** Whether a change concerns an attribute, or one from which it is computed. */
function touches(entity: EntityRuntime, changes: PlainItem, attributes: ReadonlySet<string>): boolean {
  const changed = new Set(
    Object.keys(changes).flatMap((name) =>
      changes[name] === undefined ? [] : [itemPath(entity, name).attribute.name],
    ),
  )
  for (const { name } of entity.setOnWrite) changed.add(name)
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
  isForgiving = false,
): PlannedWrite {
  return {
    entity,
    plan: async (connection, meter) => {
      const present = await presentItem(connection, entity, entity.keyOf(key), meter)
      const read = present.item
      if (read === undefined || !isOfKind(entity, read)) throw notFound(entity, key)
      // An update may be what completes the item.
      const item = isForgiving ? entity.decodePossible(read) : entity.decodeItem(read)
      const wanted = await change(item, read)
      if (wanted === undefined) return { actions: [], item: read }
      return planReplace(entity, { ...present, item: read }, wanted, connection.context, options.if)
    },
  }
}

/** Creates the item, or changes the one that exists. */
export function upsert(
  entity: EntityRuntime,
  given: PlainItem,
  changes?: PlainItem,
  isRead = entity.described.satellites.length > 0,
): PlannedWrite {
  return {
    entity,
    plan: async (connection, meter) => {
      const { context } = connection
      const { input, operations } =
        changes === undefined ? { input: given, operations: {} } : splitUpsert(entity, given, changes, context)
      if (!isRead) return { actions: [planUpsert(entity, input, context, operations)], item: undefined }
      const present = await presentItem(connection, entity, entity.keyOf(input), meter)
      const read = present.item
      if (read !== undefined && !isOfKind(entity, read)) throw otherKind(entity)
      if (read !== undefined)
        return planReplace(
          entity,
          { ...present, item: read },
          mergeUpsert(
            entity,
            read,
            changes === undefined ? input : applyChanges(entity, entity.decodePossible(read), changes),
          ),
          context,
        )
      const { actions, item } = await create(entity, input).plan(connection, meter)
      // Someone may create it just now; then there is something to change.
      return { actions: actions.map((action, i) => (i === 0 ? { ...action, isStale: always } : action)), item }
    },
  }
}

/** Removes the item, if there is one. */
export function remove(entity: EntityRuntime, key: PlainItem, options: WriteOptions): PlannedWrite {
  const stored = entity.keyOf(key)
  const hasSatellites = entity.described.satellites.length > 0
  const planned = ({ item: read, satellites }: Present, context: DefaultContext): readonly WriteAction[] => {
    const placeholders = entity.placeholders()
    const { versionAttribute } = entity
    const condition = allOf(
      hasSatellites ? unchangedText(entity, read, placeholders) : undefined,
      kindOrNothingText(entity, placeholders),
      options.version === undefined || versionAttribute === undefined
        ? undefined
        : placeholders.equals(versionAttribute, { N: String(options.version) }),
      options.if === undefined ? undefined : conditionText(entity, options.if, placeholders),
    )
    const main: WriteAction = {
      kind: 'Delete',
      input: {
        TableName: entity.tableName,
        Key: stored,
        ...(condition !== undefined && { ConditionExpression: condition }),
        ...placeholders.members(),
      },
      failure: (found) => updateFailure(entity, key, options, found),
      isStale: (found) => hasSatellites && isChanged(entity, read, found),
    }
    return [main, ...satelliteActions(entity, satellites, undefined, context)]
  }
  return {
    entity,
    plan: async (connection, meter) => {
      const { context } = connection
      if (!hasSatellites) return { actions: planned(nothingPresent, context), item: undefined }
      const present = await presentItem(connection, entity, stored, meter)
      if (present.item !== undefined && !isOfKind(entity, present.item)) throw notFound(entity, key)
      return { actions: planned(present, context), item: present.item }
    },
  }
}

/** Only a condition on an item that is not written itself; for transactions. */
export function check(entity: EntityRuntime, key: PlainItem, condition: object): PlannedWrite {
  return {
    entity,
    plan: async () => {
      const placeholders = entity.placeholders()
      const action: WriteAction = {
        kind: 'ConditionCheck',
        input: {
          TableName: entity.tableName,
          Key: entity.keyOf(key),
          ConditionExpression:
            allOf(kindText(entity, placeholders), conditionText(entity, condition, placeholders)) ?? '',
          ...placeholders.members(),
        },
        failure: (found) => updateFailure(entity, key, {}, found),
        isStale: never,
      }
      return { actions: [action], item: undefined }
    },
  }
}

function keyShown(entity: EntityRuntime, stored: StoredItem): PlainItem {
  return Object.fromEntries(entity.primaryInputs.map((name) => [name, stored[name]?.S ?? stored[name]?.N]))
}
