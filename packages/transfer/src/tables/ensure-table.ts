import { errorCode, type DatabasePort } from './database-port.ts'

type Description = Readonly<Record<string, unknown>>

/** What a table is created from: the input of CreateTable, and its time to live. */
export interface TableBlueprint {
  readonly create: Description & { readonly TableName: string }
  readonly timeToLiveAttribute?: string | undefined
}

/** A table's definition, in a form from which another database can create the same table. */
export async function readBlueprint(port: DatabasePort, TableName: string): Promise<TableBlueprint> {
  const { Table } = await port.request('DescribeTable', { TableName })
  const create = createInputOf(Table as Description, TableName)
  return { create, timeToLiveAttribute: await timeToLiveOf(port, TableName) }
}

/** Creates the table if it is missing, and waits until it can be used. An existing table must have the same key. */
export async function ensureTable(
  port: DatabasePort,
  { create, timeToLiveAttribute }: TableBlueprint,
): Promise<void> {
  const { TableName } = create
  const existing = await describe(port, TableName)
  if (existing !== undefined) {
    if (JSON.stringify(existing['KeySchema']) !== JSON.stringify(create['KeySchema'])) {
      throw new Error(
        `${port.name} already has a table ${TableName} with a different key. Delete that table, or copy to another place.`,
      )
    }
    return
  }
  await port.request('CreateTable', create)
  await waitUntilActive(port, TableName)
  if (timeToLiveAttribute === undefined) return
  const TimeToLiveSpecification = { AttributeName: timeToLiveAttribute, Enabled: true }
  await port.request('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
}

export async function itemCountOf(port: DatabasePort, TableName: string): Promise<number | undefined> {
  const count = (await describe(port, TableName))?.['ItemCount']
  return typeof count === 'number' && count > 0 ? count : undefined
}

export async function listTables(port: DatabasePort): Promise<readonly string[]> {
  const names: string[] = []
  let ExclusiveStartTableName: unknown
  do {
    const page = await port.request(
      'ListTables',
      ExclusiveStartTableName === undefined ? {} : { ExclusiveStartTableName },
    )
    names.push(...(page['TableNames'] as string[]))
    ExclusiveStartTableName = page['LastEvaluatedTableName']
  } while (ExclusiveStartTableName !== undefined)
  return names
}

async function describe(port: DatabasePort, TableName: string): Promise<Description | undefined> {
  try {
    return (await port.request('DescribeTable', { TableName }))['Table'] as Description
  } catch (error) {
    if (errorCode(error) === 'ResourceNotFoundException') return undefined
    throw error
  }
}

async function waitUntilActive(port: DatabasePort, TableName: string): Promise<void> {
  for (let pauseMs = 20; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
    if ((await describe(port, TableName))?.['TableStatus'] === 'ACTIVE') return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function timeToLiveOf(port: DatabasePort, TableName: string): Promise<string | undefined> {
  try {
    const { TimeToLiveDescription } = await port.request('DescribeTimeToLive', { TableName })
    const { TimeToLiveStatus, AttributeName } = TimeToLiveDescription as Description
    return TimeToLiveStatus === 'ENABLED' ? String(AttributeName) : undefined
  } catch (error) {
    // Not every server supports it.
    if (errorCode(error) === 'UnknownOperationException') return undefined
    throw error
  }
}

/** What DescribeTable returns and CreateTable accepts. The stream is not copied: it would start with the copy itself. */
function createInputOf(table: Description, TableName: string): TableBlueprint['create'] {
  const billing = (table['BillingModeSummary'] as Description | undefined)?.['BillingMode'] ?? 'PROVISIONED'
  const isProvisioned = billing === 'PROVISIONED'
  const tableClass = (table['TableClassSummary'] as Description | undefined)?.['TableClass']
  return {
    TableName,
    AttributeDefinitions: table['AttributeDefinitions'],
    KeySchema: table['KeySchema'],
    BillingMode: billing,
    ...(isProvisioned && { ProvisionedThroughput: throughputOf(table) }),
    ...withIndexes('LocalSecondaryIndexes', table, () => ({})),
    ...withIndexes('GlobalSecondaryIndexes', table, (index) =>
      isProvisioned ? { ProvisionedThroughput: throughputOf(index) } : {},
    ),
    ...(tableClass !== undefined && { TableClass: tableClass }),
    ...(table['OnDemandThroughput'] !== undefined && { OnDemandThroughput: table['OnDemandThroughput'] }),
    ...(table['DeletionProtectionEnabled'] === true && { DeletionProtectionEnabled: true }),
  }
}

function withIndexes(name: string, table: Description, more: (index: Description) => object): object {
  const indexes = table[name]
  if (!Array.isArray(indexes) || indexes.length === 0) return {}
  return {
    [name]: (indexes as Description[]).map((index) => ({
      IndexName: index['IndexName'],
      KeySchema: index['KeySchema'],
      Projection: index['Projection'],
      ...more(index),
    })),
  }
}

function throughputOf(owner: Description): object {
  const { ReadCapacityUnits, WriteCapacityUnits } = owner['ProvisionedThroughput'] as Description
  return { ReadCapacityUnits, WriteCapacityUnits }
}
