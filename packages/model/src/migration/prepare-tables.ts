import {
  CreateTableCommand,
  DescribeTableCommand,
  UpdateTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type GlobalSecondaryIndexDescription,
  type TableDescription as LiveTable,
} from '@aws-sdk/client-dynamodb'
import { tableNamesOf } from '../client/client-functions.ts'
import type { ConnectOptions } from '../client/client-functions.ts'
import type { ModelDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { createTableInput } from '../export/create-table-inputs.ts'

export interface PrepareOptions {
  readonly tables?: ConnectOptions['tables'] | undefined
  /** Only say what would be done. */
  readonly isDry?: boolean | undefined
  readonly tell?: ((line: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

type Client = Pick<DynamoDBClient, 'send'>
const pollMs = 500

/** Creates the tables and indexes that a model has and the database lacks, and waits until they are filled. An index cannot be
 *  changed: one with another key or projection needs another name. */
export async function prepareTables(
  model: ModelDescription,
  client: Client,
  options: PrepareOptions = {},
): Promise<void> {
  for (const [table, TableName] of tablesOf(model, options)) {
    const input = { ...createTableInput(table), TableName }
    const live = await describe(client, TableName)
    if (live === undefined) {
      options.tell?.(`create the table ${TableName}`)
      if (options.isDry === true) continue
      await client.send(new CreateTableCommand(input))
      await untilActive(client, TableName, options)
      continue
    }
    for (const index of input.GlobalSecondaryIndexes ?? []) {
      const present = live.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index.IndexName)
      if (present !== undefined) {
        assertSame(TableName, index, present)
        continue
      }
      options.tell?.(`create the index ${index.IndexName} of ${TableName}, and wait until it is filled`)
      if (options.isDry === true) continue
      const AttributeDefinitions = input.AttributeDefinitions?.filter(({ AttributeName }) =>
        [...(index.KeySchema ?? []), ...keysOf(live)].some((key) => key.AttributeName === AttributeName),
      )
      const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: index }] }
      await client.send(new UpdateTableCommand(update))
      await untilActive(client, TableName, options)
    }
  }
}

/** Deletes the indexes that a model no longer has. */
export async function dropIndexes(
  model: ModelDescription,
  client: Client,
  options: PrepareOptions = {},
): Promise<void> {
  for (const [table, TableName] of tablesOf(model, options)) {
    const live = await describe(client, TableName)
    for (const { IndexName } of live?.GlobalSecondaryIndexes ?? []) {
      if (table.indexes.some(({ name }) => name === IndexName)) continue
      options.tell?.(`delete the index ${IndexName} of ${TableName}`)
      if (options.isDry === true) continue
      const update = { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] }
      await client.send(new UpdateTableCommand(update))
      await untilActive(client, TableName, options)
    }
  }
}

function tablesOf(
  model: ModelDescription,
  { tables }: PrepareOptions,
): readonly (readonly [ModelDescription['tables'][number], string])[] {
  const names = tableNamesOf(model, tables)
  return model.tables.map((table) => [table, names.get(table.id) ?? table.name])
}

async function describe(client: Client, TableName: string): Promise<LiveTable | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

async function untilActive(client: Client, TableName: string, { signal }: PrepareOptions): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const live = await describe(client, TableName)
    const isBusy = live?.GlobalSecondaryIndexes?.some(({ IndexStatus }) => IndexStatus !== 'ACTIVE') === true
    if (live?.TableStatus === 'ACTIVE' && !isBusy) return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** The keys of the table and of the indexes it has: their types must be named too. */
function keysOf(live: LiveTable): readonly { readonly AttributeName: string | undefined }[] {
  return [
    ...(live.KeySchema ?? []),
    ...(live.GlobalSecondaryIndexes ?? []).flatMap(({ KeySchema = [] }) => KeySchema),
    ...(live.LocalSecondaryIndexes ?? []).flatMap(({ KeySchema = [] }) => KeySchema),
  ]
}

function assertSame(table: string, wanted: GlobalSecondaryIndex, present: GlobalSecondaryIndexDescription): void {
  const text = ({ KeySchema = [], Projection }: typeof present): string =>
    JSON.stringify([
      KeySchema.map(({ AttributeName, KeyType }) => [AttributeName, KeyType]),
      Projection?.ProjectionType,
    ])
  // What it copies besides does no harm, such as the old name of an attribute.
  const copied = new Set(present.Projection?.NonKeyAttributes)
  const hasAll = (wanted.Projection?.NonKeyAttributes ?? []).every((name) => copied.has(name))
  if (hasAll && text(wanted) === text(present)) return
  throw new ModelError(
    'INVALID_MODEL',
    `The index ${wanted.IndexName} of ${table} has another key or projection than in the model, and an index cannot be changed. Give the new one another name, and drop this one when nobody reads it.`,
  )
}
