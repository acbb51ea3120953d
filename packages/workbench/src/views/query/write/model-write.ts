import type { EntityDescription, ModelDescription } from '@hashrange/model'
import { kindOfKey, valuesInKey } from '@hashrange/model/coverage'
import type { LoadedModel } from '../../../api/models.ts'
import type { AttributeValue, Item } from '../../../api-types.ts'
import { jsKey, wrapped } from '../../../codegen/javascript-values.ts'
import type { WriteCall, WriteStep } from '../../../codegen/model-client.ts'
import { attributeStoredAs, modelValue, NoModelCode } from '../../../codegen/model-value.ts'
import type { ItemChange, WriteRequest } from '../../../codegen/service-request.ts'
import { changesCode } from './model-changes.ts'
import { conditionCode, isOnlyAbsent } from './model-condition.ts'
import { Operators, primaryNames, type ModelTable, type WriteSubject } from './model-subject.ts'
import type { WriteDraft, WriteRow } from './write-draft.ts'

/** The same writes by the model's own client, or why there are none. */
export function modelWrite(
  draft: WriteDraft,
  request: WriteRequest,
  tableName: string,
  models: readonly LoadedModel[],
): WriteCall | string {
  const loaded = models.find(({ description }) => description.tables.some(({ name }) => name === tableName))
  const table = loaded?.description.tables.find(({ name }) => name === tableName)
  if (loaded === undefined || table === undefined) {
    return `No model that is loaded here has the table ${tableName}. Load its model, or start one from the table, in Model.`
  }
  const { file, exportName, description } = loaded
  const operators = new Operators()
  const way = draft.rows.length === 1 ? 'one' : draft.way
  const changes = changesOf(request)
  const steps: WriteStep[] = []
  for (const [position, row] of draft.rows.entries()) {
    try {
      steps.push(stepOf(row, changes[position], way, { description, table, operators }))
    } catch (error) {
      if (!(error instanceof NoModelCode)) throw error
      return way === 'one' ? error.message : `Change ${String(position + 1)}: ${error.message}`
    }
  }
  return { file, exportName, way, steps, operators: operators.names() }
}

function stepOf(
  row: WriteRow,
  change: ItemChange | undefined,
  way: WriteCall['way'],
  about: { readonly description: ModelDescription; readonly table: ModelTable; readonly operators: Operators },
): WriteStep {
  const { table, operators } = about
  const key = change?.Item ?? change?.Key ?? {}
  const entity = entityAt(about.description, table, key)
  const subject = { entity, table, operators }
  if (way === 'batch' && entity.satellites.length > 0) {
    throw new NoModelCode(
      `${entity.name} has unique values or index items, which are written with it: send a transaction.`,
    )
  }
  const isCreate = row.kind === 'put' && isOnlyAbsent(row.condition, table.partitionKey.name)
  const condition = isCreate ? undefined : conditionCode(row.condition, subject)
  const options = condition === undefined ? [] : [wrapped('{', [`if: ${condition}`], '}')]
  const step = (action: WriteStep['action'], args: readonly string[]): WriteStep => ({
    entity: entity.name,
    action,
    args,
  })
  switch (row.kind) {
    case 'put':
      return step(isCreate ? 'create' : 'put', [itemCode(subject, key, isCreate), ...options])
    case 'update':
      return step('update', [keyCode(entity, key), changesCode(row.changes, subject), ...options])
    case 'delete':
      return step('delete', [keyCode(entity, key), ...options])
    case 'check':
      return step('check', [keyCode(entity, key), condition ?? '{}'])
  }
}

function entityAt(description: ModelDescription, table: ModelTable, key: Item): EntityDescription {
  const kind = kindOfKey(description, table, key)
  if (kind === undefined) throw new NoModelCode(`No entity of the model ${description.name} has such a key.`)
  if (kind.satellite !== undefined) {
    throw new NoModelCode(
      `This is an item of ${kind.satellite}: the model’s client writes it together with its ${kind.entity.name}.`,
    )
  }
  const said = Object.hasOwn(key, table.discriminator) ? key[table.discriminator] : undefined
  if (said !== undefined && 'S' in said && said.S !== kind.entity.name) {
    throw new NoModelCode(
      `${table.discriminator} says ${said.S.slice(0, 60)}, and the key is one of ${kind.entity.name}.`,
    )
  }
  return kind.entity
}

/** The attributes of the primary key, as the key holds them. */
function keyCode(entity: EntityDescription, key: Item): string {
  const values = valuesInKey(entity, key)
  const parts = [...primaryNames(entity)].flatMap((name) => {
    const attribute = entity.attributes.find((each) => each.name === name)
    if (attribute?.isStored === false) return []
    const value = values.get(name) as AttributeValue | undefined
    if (value === undefined) {
      throw new NoModelCode(`The key holds only a part of ${name}, or a value that is computed from it.`)
    }
    return [`${jsKey(name)}: ${modelValue(value, attribute, name)}`]
  })
  return wrapped('{', parts, '}')
}

/** A whole item: what the library adds by itself (keys, the entity's name, what is computed) is left out. */
function itemCode({ entity, table }: WriteSubject, item: Item, isCreate: boolean): string {
  const given = new Map<string, string>()
  const own = new Set([table.partitionKey.name, table.sortKey?.name, table.discriminator])
  for (const index of table.indexes) {
    for (const { name } of [...index.partitionKeys, ...index.sortKeys]) own.add(name)
  }
  const inKey = valuesInKey(entity, item)
  for (const [stored, value] of Object.entries(item)) {
    const attribute = attributeStoredAs(entity.attributes, stored)
    if (attribute === undefined) {
      if (own.has(stored)) continue
      throw new NoModelCode(`${entity.name} has no attribute ${stored.slice(0, 60)}. Add it to the model first.`)
    }
    const { name, type, computedFrom } = attribute
    const held = inKey.get(name)
    if (held !== undefined && JSON.stringify(held) !== JSON.stringify(value)) {
      throw new NoModelCode(`The key and the attribute ${name} have different values.`)
    }
    if (computedFrom !== undefined || (isCreate && type === 'version')) continue
    given.set(name, modelValue(value, attribute, name))
  }
  for (const attribute of entity.attributes) {
    const { name, isOptional, hasDefault, isStored, computedFrom, type } = attribute
    if (given.has(name) || !isStored || computedFrom !== undefined) continue
    const held = inKey.get(name) as AttributeValue | undefined
    if (held !== undefined) given.set(name, modelValue(held, attribute, name))
    else if (!isOptional && !hasDefault && type !== 'shard' && type !== 'version') {
      throw new NoModelCode(`${entity.name} needs the attribute ${name}.`)
    }
  }
  return wrapped(
    '{',
    [...given].map(([name, code]) => `${jsKey(name)}: ${code}`),
    '}',
  )
}

/** The changes of a request, in the order of the rows. */
function changesOf({ input }: WriteRequest): readonly (ItemChange | undefined)[] {
  if (input.TransactItems !== undefined) {
    return input.TransactItems.map((each) => each.Put ?? each.Update ?? each.Delete ?? each.ConditionCheck)
  }
  const [batch] = Object.entries(input.RequestItems ?? {})
  if (batch !== undefined) {
    const [TableName, entries] = batch
    return entries.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...PutRequest, ...DeleteRequest }))
  }
  const { TableName = '', Item: item, Key: key } = input
  return [{ TableName, ...(item !== undefined && { Item: item }), ...(key !== undefined && { Key: key }) }]
}
