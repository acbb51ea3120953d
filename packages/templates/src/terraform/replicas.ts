import {
  listOf,
  objectOf,
  plainText,
  type JsonObject,
  type ReplicaDesign,
  type TableDesign,
} from '../table-design.ts'

/** `replica` blocks of a table. Terraform scales capacity with resources of their own. */
export function withReplicas(table: TableDesign, values: JsonObject, region: string): TableDesign {
  const blocks = listOf(values['replica']).map(objectOf)
  // Replicas can also be resources of their own; then the table says nothing about them.
  if (blocks.length === 0) return table
  const witness = objectOf(listOf(values['global_table_witness'])[0])['region_name']
  return {
    ...table,
    global: {
      region: plainText(values['region'] ?? region),
      replicas: blocks.map((block) => replicaOf(table, block)),
      isStrong: blocks.some(({ consistency_mode }) => consistency_mode === 'STRONG'),
      witness: typeof witness === 'string' ? witness : undefined,
    },
  }
}

function replicaOf(table: TableDesign, block: JsonObject): ReplicaDesign {
  const { DeletionProtectionEnabled: _, Tags, SSESpecification, ...create } = table.create
  const { kms_key_arn: KMSMasterKeyId } = block
  const encryption = { ...objectOf(SSESpecification), SSEType: 'KMS', KMSMasterKeyId: plainText(KMSMasterKeyId) }
  return {
    region: plainText(block['region_name']),
    table: {
      name: table.name,
      origin: table.origin,
      create: {
        ...create,
        TableName: table.name,
        ...(block['propagate_tags'] === true && Tags !== undefined && { Tags }),
        ...(block['deletion_protection_enabled'] === true && { DeletionProtectionEnabled: true }),
        ...(typeof KMSMasterKeyId === 'string' && KMSMasterKeyId !== '' && { SSESpecification: encryption }),
      },
      insights: false,
      recoveryDays: block['point_in_time_recovery'] === true ? 35 : undefined,
    },
  }
}
