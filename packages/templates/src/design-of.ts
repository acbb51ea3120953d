import {
  isObject,
  listOf,
  objectOf,
  type Json,
  type JsonObject,
  type TableDesign,
  plainText,
} from './table-design.ts'

/** The design of a table with these properties, as CloudFormation names them. */
export function designOf(name: string, origin: string, known: JsonObject): TableDesign {
  const isOnDemand = known['BillingMode'] === 'PAY_PER_REQUEST'
  const stream = objectOf(known['StreamSpecification'])['StreamViewType']
  const ttl = objectOf(known['TimeToLiveSpecification'])
  const recovery = objectOf(known['PointInTimeRecoverySpecification'])
  const policy = objectOf(known['ResourcePolicy'])['PolicyDocument']
  const sse = objectOf(known['SSESpecification'])
  const kinesisStream = objectOf(known['KinesisStreamSpecification'])['StreamArn']
  const tags = listOf(known['Tags']).filter((tag) => objectOf(tag)['Value'] !== undefined)
  const create = {
    TableName: name,
    AttributeDefinitions: known['AttributeDefinitions'] ?? [],
    KeySchema: known['KeySchema'] ?? [],
    BillingMode: isOnDemand ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ...(!isOnDemand && throughputOf(known['ProvisionedThroughput'])),
    ...indexes('LocalSecondaryIndexes', known, (index) => index),
    ...indexes('GlobalSecondaryIndexes', known, ({ ProvisionedThroughput, ...index }) => ({
      ...index,
      ...(!isOnDemand && throughputOf(ProvisionedThroughput)),
    })),
    ...(typeof stream === 'string' && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream } }),
    ...(flag(sse['SSEEnabled']) && { SSESpecification: encryptionOf(sse['KMSMasterKeyId']) }),
    ...(isOnDemand &&
      isObject(known['OnDemandThroughput']) && { OnDemandThroughput: numbersOf(known['OnDemandThroughput']) }),
    ...(known['TableClass'] !== undefined && { TableClass: known['TableClass'] }),
    ...(flag(known['DeletionProtectionEnabled']) && { DeletionProtectionEnabled: true }),
    ...(tags.length > 0 && { Tags: tags.map(textTag) }),
  }
  return {
    name,
    origin,
    create,
    timeToLiveAttribute: flag(ttl['Enabled']) ? plainText(ttl['AttributeName']) : undefined,
    recoveryDays: flag(recovery['PointInTimeRecoveryEnabled'])
      ? Number(recovery['RecoveryPeriodInDays'] ?? 35)
      : undefined,
    insights: flag(objectOf(known['ContributorInsightsSpecification'])['Enabled']),
    resourcePolicy: policy === undefined ? undefined : typeof policy === 'string' ? policy : JSON.stringify(policy),
    kinesisStreamArn: typeof kinesisStream === 'string' ? kinesisStream : undefined,
  }
}

/** A key of another account, or one that the file only refers to, is a text as well; without one, the account has its own. */
function encryptionOf(key: Json | undefined): JsonObject {
  return { Enabled: true, ...(typeof key === 'string' && key !== '' && { SSEType: 'KMS', KMSMasterKeyId: key }) }
}

function indexes(name: string, known: JsonObject, more: (index: JsonObject) => JsonObject): JsonObject {
  const list = listOf(known[name])
  if (list.length === 0) return {}
  return {
    [name]: list.map((index): Json => {
      const { IndexName, KeySchema, Projection, ...rest } = more(objectOf(index))
      const throughput = rest['ProvisionedThroughput']
      const onDemand = rest['OnDemandThroughput']
      return {
        IndexName: IndexName ?? null,
        KeySchema: KeySchema ?? [],
        Projection: Projection ?? { ProjectionType: 'ALL' },
        ...(throughput !== undefined && { ProvisionedThroughput: throughput }),
        ...(onDemand !== undefined && { OnDemandThroughput: numbersOf(onDemand) }),
      }
    }),
  }
}

/** Numbers are often texts in templates. Where there are none, the API says that it needs them. */
function throughputOf(value: Json | undefined): JsonObject {
  return isObject(value) ? { ProvisionedThroughput: numbersOf(value) } : {}
}

function numbersOf(value: Json): Json {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, part]) => [name, Number(part)]))
}

/** `true`, or the text that parameters make of it. */
function flag(value: Json | undefined): boolean {
  return value === true || value === 'true'
}

function textTag(tag: Json): Json {
  const { Key, Value } = objectOf(tag)
  return { Key: plainText(Key), Value: plainText(Value) }
}
