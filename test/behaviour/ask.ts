import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { questions, type Names } from './questions.ts'

/** An answer, or why there is none, with the names of tables taken out. */
export type Answered =
  { readonly answer: unknown } | { readonly error: string; readonly message: string; readonly reasons?: unknown }
export type Answers = Readonly<Record<string, Answered>>

/** Makes the tables, asks all questions and removes the tables again. `prefix` keeps them apart from others. */
export async function ask(client: DynamoDB, prefix: string): Promise<Answers> {
  const songs = `${prefix}-songs`
  const events = `${prefix}-events`
  try {
    const songsArn = await createSongs(client, songs)
    await createEvents(client, events)
    const names = { songs, songsArn, events }
    const answers: Record<string, Answered> = {}
    for (const [name, { operation, input }] of Object.entries(questions)) {
      answers[name] = withoutNames(await answerTo(client, operation, input(names)), names)
    }
    return answers
  } finally {
    for (const TableName of [songs, events]) await client.deleteTable({ TableName }).catch(() => undefined)
  }
}

async function answerTo(client: DynamoDB, operation: string, input: object): Promise<Answered> {
  const method = `${operation[0]?.toLowerCase()}${operation.slice(1)}`
  const call = Reflect.get(client, method) as (asked: object) => Promise<object>
  try {
    const { $metadata: _, ...answer } = (await call.call(client, input)) as Record<string, unknown>
    return { answer }
  } catch (error) {
    if (!(error instanceof Error) || !('$metadata' in error)) throw error
    const reasons = 'CancellationReasons' in error ? { reasons: error.CancellationReasons } : {}
    return { error: error.name, message: error.message, ...reasons }
  }
}

/** Names differ from place to place, and so does how long they are where the answer shows a position. */
function withoutNames(answered: Answered, { songs, songsArn, events }: Names): Answered {
  const text = JSON.stringify(answered)
    .replaceAll(songsArn, '{arn of songs}')
    .replaceAll(songs, '{songs}')
    .replaceAll(events, '{events}')
    .replaceAll(/ at 1:13:\d+/g, ' at 1:13:{length}')
  return JSON.parse(text) as Answered
}

async function createSongs(client: DynamoDB, TableName: string): Promise<string> {
  await client.createTable({
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'year', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byYear',
        KeySchema: [{ AttributeName: 'year', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return whenActive(client, TableName)
}

async function createEvents(client: DynamoDB, TableName: string): Promise<void> {
  await client.createTable({
    TableName,
    KeySchema: [
      { AttributeName: 'id', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
      { AttributeName: 'kind', AttributeType: 'S' },
    ],
    LocalSecondaryIndexes: [
      {
        IndexName: 'byKind',
        KeySchema: [
          { AttributeName: 'id', KeyType: 'HASH' },
          { AttributeName: 'kind', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await whenActive(client, TableName)
}

/** The table's ARN, once it can be used. */
async function whenActive(client: DynamoDB, TableName: string): Promise<string> {
  for (;;) {
    const { Table } = await client.describeTable({ TableName })
    if (Table?.TableStatus === 'ACTIVE' && Table.TableArn !== undefined) return Table.TableArn
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
