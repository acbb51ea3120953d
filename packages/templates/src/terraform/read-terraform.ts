import type { Declared } from '../declared.ts'
import { designOf } from '../design-of.ts'
import {
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  type TableDesign,
  plainText,
} from '../table-design.ts'
import { readOthers, type TerraformResource } from './other-resources.ts'
import { referencesOf } from './references.ts'
import { withReplicas } from './replicas.ts'

/** What a plan or a state declares: `terraform show -json`, or terraform.tfstate itself. */
export function readTerraform(document: JsonObject, file: string, region: string): Declared {
  const tables: TableDesign[] = []
  const others: TerraformResource[] = []
  const problems: string[] = []
  for (const resource of resourcesOf(document)) {
    const { address, type, values } = resource
    if (type !== 'aws_dynamodb_table') {
      others.push(resource)
      continue
    }
    const origin = `${address} in ${file}`
    const { name } = values
    if (typeof name !== 'string') problems.push(`${origin}: its name is known only after terraform apply.`)
    else tables.push(withReplicas(designOf(name, origin, propertiesOf(values)), values, region))
  }
  const read = readOthers(others, file, referencesOf(document, resourcesOf(document)))
  return {
    tables: tables.map((table) => ({ ...table, ...read.settings.get(table.name) })),
    resources: read.resources,
    functions: read.functions,
    skipped: read.skipped,
    problems: [...problems, ...read.problems],
  }
}

export function isTerraform(document: JsonObject): boolean {
  return isObject(document['planned_values']) || isObject(document['values']) || 'terraform_version' in document
}

function* resourcesOf(document: JsonObject): Iterable<TerraformResource> {
  if (Array.isArray(document['resources'])) {
    for (const resource of listOf(document['resources']).map(objectOf)) {
      if (resource['mode'] !== 'managed') continue
      for (const instance of listOf(resource['instances']).map(objectOf)) {
        const type = plainText(resource['type'])
        yield { address: `${type}.${plainText(resource['name'])}`, type, values: objectOf(instance['attributes']) }
      }
    }
    return
  }
  const values = objectOf(document['planned_values'] ?? document['values'])
  yield* resourcesOfModule(objectOf(values['root_module']))
}

function* resourcesOfModule(module: JsonObject): Iterable<TerraformResource> {
  for (const resource of listOf(module['resources']).map(objectOf)) {
    if (resource['mode'] !== 'managed') continue
    yield {
      address: plainText(resource['address']),
      type: plainText(resource['type']),
      values: objectOf(resource['values']),
    }
  }
  for (const child of listOf(module['child_modules'])) yield* resourcesOfModule(objectOf(child))
}

/** Terraform's names for what CloudFormation calls otherwise. */
function propertiesOf(values: JsonObject): JsonObject {
  const ttl = objectOf(listOf(values['ttl'])[0])
  const recovery = objectOf(listOf(values['point_in_time_recovery'])[0])
  const encryption = objectOf(listOf(values['server_side_encryption'])[0])
  const maximum = objectOf(listOf(values['on_demand_throughput'])[0])
  const tags = objectOf(values['tags_all'] ?? values['tags'])
  return {
    AttributeDefinitions: listOf(values['attribute']).map((attribute): Json => {
      const { name, type } = objectOf(attribute)
      return { AttributeName: name ?? null, AttributeType: type ?? null }
    }),
    KeySchema: keySchema(values),
    BillingMode: values['billing_mode'] ?? 'PROVISIONED',
    ...throughput(values),
    GlobalSecondaryIndexes: listOf(values['global_secondary_index']).map(objectOf).map(indexOf),
    LocalSecondaryIndexes: listOf(values['local_secondary_index'])
      .map(objectOf)
      .map((index) => indexOf({ ...index, hash_key: values['hash_key'] ?? null })),
    ...(values['stream_enabled'] === true && {
      StreamSpecification: { StreamViewType: values['stream_view_type'] ?? 'NEW_AND_OLD_IMAGES' },
    }),
    ...(ttl['enabled'] === true && {
      TimeToLiveSpecification: { Enabled: true, AttributeName: ttl['attribute_name'] ?? null },
    }),
    ...(recovery['enabled'] === true && {
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        ...(typeof recovery['recovery_period_in_days'] === 'number' && {
          RecoveryPeriodInDays: recovery['recovery_period_in_days'],
        }),
      },
    }),
    ...(encryption['enabled'] === true && {
      SSESpecification: { SSEEnabled: true, KMSMasterKeyId: encryption['kms_key_arn'] ?? null },
    }),
    ...(Object.keys(maximum).length > 0 && { OnDemandThroughput: maximumOf(maximum) }),
    ...(typeof values['table_class'] === 'string' && { TableClass: values['table_class'] }),
    DeletionProtectionEnabled: values['deletion_protection_enabled'] === true,
    Tags: Object.entries(tags).map(([Key, Value]): Json => ({ Key, Value })),
  }
}

function indexOf(index: JsonObject): Json {
  return {
    IndexName: index['name'] ?? null,
    KeySchema: keySchema(index),
    Projection: {
      ProjectionType: index['projection_type'] ?? 'ALL',
      ...(listOf(index['non_key_attributes']).length > 0 && {
        NonKeyAttributes: index['non_key_attributes'] ?? [],
      }),
    },
    ...throughput(index),
  }
}

/** Multi-attribute keys are declared as `key_schema`, the others as `hash_key` and `range_key`. */
function keySchema(owner: JsonObject): Json {
  const declared = listOf(owner['key_schema']).map((part): Json => {
    const { attribute_name: AttributeName, key_type: KeyType } = objectOf(part)
    return { AttributeName: AttributeName ?? null, KeyType: KeyType ?? null }
  })
  if (declared.length > 0) return declared
  const range = owner['range_key']
  return [
    { AttributeName: owner['hash_key'] ?? null, KeyType: 'HASH' },
    ...(typeof range === 'string' && range !== '' ? [{ AttributeName: range, KeyType: 'RANGE' }] : []),
  ]
}

function throughput(owner: JsonObject): JsonObject {
  const { read_capacity: ReadCapacityUnits, write_capacity: WriteCapacityUnits } = owner
  if (typeof ReadCapacityUnits !== 'number' || typeof WriteCapacityUnits !== 'number') return {}
  return { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } }
}

function maximumOf({ max_read_request_units, max_write_request_units }: JsonObject): Json {
  return {
    ...(typeof max_read_request_units === 'number' && { MaxReadRequestUnits: max_read_request_units }),
    ...(typeof max_write_request_units === 'number' && { MaxWriteRequestUnits: max_write_request_units }),
  }
}
