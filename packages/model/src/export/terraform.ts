import type {
  IndexDescription,
  KeyAttributeDescription,
  ModelDescription,
  ProjectionDescription,
  TableDescription,
} from '../description.ts'
import { keyAttributes } from './create-table-inputs.ts'
import { streamOf } from './global-table-properties.ts'
import type { HclBlock } from './hcl.ts'
import { toHcl } from './hcl.ts'
import { distinctNames, snakeCase } from './source-text.ts'

/** The tables as Terraform resources. */
export function terraform(description: ModelDescription): string {
  const names = distinctNames(description.tables, ({ id }) => snakeCase(`${description.name} ${id}`))
  const tables = description.tables.map((table, i) => tableBlock(table, names[i] ?? ''))
  return toHcl([requirements(description), ...tables])
}

/** Multi-attribute keys are `key_schema` blocks, which the AWS provider knows since 6.30. All other keys are written in the
 *  way that every version understands. */
function requirements({ tables }: ModelDescription): HclBlock {
  const isNew = tables.some(
    ({ indexes, global }) => indexes.some(isMultiAttribute) || global?.consistency === 'strong',
  )
  const version = isNew ? '>= 6.30' : '>= 5.0'
  const aws = { source: 'hashicorp/aws', version }
  return { type: 'terraform', blocks: [{ type: 'required_providers', arguments: { aws } }] }
}

function isMultiAttribute({ partitionKeys, sortKeys }: IndexDescription): boolean {
  return partitionKeys.length > 1 || sortKeys.length > 1
}

function tableBlock(table: TableDescription, name: string): HclBlock {
  return {
    type: 'resource',
    labels: ['aws_dynamodb_table', name],
    arguments: {
      name: table.name,
      billing_mode: table.billing.mode === 'on-demand' ? 'PAY_PER_REQUEST' : 'PROVISIONED',
      ...capacity(table),
      hash_key: table.partitionKey.name,
      range_key: table.sortKey?.name,
      table_class: table.tableClass,
      deletion_protection_enabled: table.deletionProtection === true ? true : undefined,
      stream_enabled: streamOf(table) === undefined ? undefined : true,
      stream_view_type: streamOf(table),
    },
    blocks: [
      ...keyAttributes(table).map(({ name, type }) => ({ type: 'attribute', arguments: { name, type } })),
      ...table.indexes.map((index) => indexBlock(table, index)),
      ...(table.ttlAttribute === undefined
        ? []
        : [{ type: 'ttl', arguments: { attribute_name: table.ttlAttribute, enabled: true } }]),
      ...(table.pointInTimeRecovery === true
        ? [{ type: 'point_in_time_recovery', arguments: { enabled: true } }]
        : []),
      ...replicaBlocks(table),
      { type: 'lifecycle', arguments: { prevent_destroy: true } },
    ],
  }
}

/** The table itself is in the region of the provider, which must be the first of the model's. */
function replicaBlocks({ global, pointInTimeRecovery, deletionProtection }: TableDescription): readonly HclBlock[] {
  return (global?.regions ?? []).slice(1).map((region) => ({
    type: 'replica',
    arguments: {
      region_name: region,
      consistency_mode: global?.consistency === 'strong' ? 'STRONG' : undefined,
      point_in_time_recovery: pointInTimeRecovery === true ? true : undefined,
      deletion_protection_enabled: deletionProtection === true ? true : undefined,
    },
  }))
}

function indexBlock(table: TableDescription, index: IndexDescription): HclBlock {
  if (index.kind === 'local') {
    return {
      type: 'local_secondary_index',
      arguments: { name: index.name, range_key: index.sortKeys[0]?.name, ...projection(index.projection) },
    }
  }
  const rest = { ...projection(index.projection), ...capacity(table) }
  if (!isMultiAttribute(index)) {
    const keys = { hash_key: index.partitionKeys[0]?.name, range_key: index.sortKeys[0]?.name }
    return { type: 'global_secondary_index', arguments: { name: index.name, ...keys, ...rest } }
  }
  return {
    type: 'global_secondary_index',
    arguments: { name: index.name, ...rest },
    blocks: [...keySchema('HASH', index.partitionKeys), ...keySchema('RANGE', index.sortKeys)],
  }
}

function keySchema(type: 'HASH' | 'RANGE', keys: readonly KeyAttributeDescription[]): readonly HclBlock[] {
  return keys.map(({ name }) => ({ type: 'key_schema', arguments: { attribute_name: name, key_type: type } }))
}

function projection(description: ProjectionDescription): HclBlock['arguments'] {
  if (description.type !== 'INCLUDE') return { projection_type: description.type }
  if (description.attributes.length === 0) return { projection_type: 'KEYS_ONLY' }
  return { projection_type: 'INCLUDE', non_key_attributes: description.attributes }
}

function capacity({ billing }: TableDescription): HclBlock['arguments'] {
  return billing.mode === 'on-demand'
    ? {}
    : { read_capacity: billing.readUnits, write_capacity: billing.writeUnits }
}
