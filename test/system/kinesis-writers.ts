import { kinesis, readStream } from './kinesis-client.ts'
import type { ServerProcess } from './server-process.ts'

export const TableName = 'orders'
export const puts = 'puts'
export const changes = 'changes'

/** Streams, a table, and a destination of the table. */
export async function prepare(server: ServerProcess): Promise<void> {
  await kinesis(server.endpoint, 'CreateStream', { StreamName: puts, ShardCount: 2 })
  await kinesis(server.endpoint, 'CreateStream', { StreamName: changes, ShardCount: 1 })
  await server.call('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  })
  const { StreamDescriptionSummary } = await kinesis<{
    readonly StreamDescriptionSummary: { readonly StreamARN: string }
  }>(server.endpoint, 'DescribeStreamSummary', { StreamName: changes })
  const StreamArn = StreamDescriptionSummary.StreamARN
  await server.call('EnableKinesisStreamingDestination', { TableName, StreamArn })
}

/** What writers were told is written, each writer's in its order. */
export class Written {
  readonly records = new Map<string, number[]>()
  readonly items = new Map<string, number[]>()
  #next = 0

  /** Writes records and items to a server until it no longer answers, or `isOver` says so. */
  async write(server: ServerProcess, writer: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const number = this.#next++
      try {
        const Data = Buffer.from(String(number)).toString('base64')
        await kinesis(server.endpoint, 'PutRecord', { StreamName: puts, PartitionKey: writer, Data })
        note(this.records, writer, number)
        await server.call('PutItem', { TableName, Item: { id: { S: writer }, number: { N: String(number) } } })
        note(this.items, writer, number)
      } catch {
        return
      }
    }
  }

  get count(): number {
    return [...this.items.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /** What was acknowledged and is not there, or not in its order. */
  async faults(endpoint: string): Promise<readonly string[]> {
    const records = await readStream(endpoint, puts)
    const delivered = await readStream(endpoint, changes)
    return [
      ...faultsOf(
        this.records,
        records.map(({ partitionKey, text }) => [partitionKey, Number(text)]),
      ),
      ...faultsOf(
        this.items,
        delivered.map(({ text }) => {
          const { dynamodb } = JSON.parse(text) as ChangeEvent
          return [dynamodb.Keys.id.S, Number(dynamodb.NewImage.number.N)]
        }),
      ),
    ]
  }
}

interface ChangeEvent {
  readonly dynamodb: {
    readonly Keys: { readonly id: { readonly S: string } }
    readonly NewImage: { readonly number: { readonly N: string } }
  }
}

function note(written: Map<string, number[]>, writer: string, number: number): void {
  const numbers = written.get(writer)
  if (numbers === undefined) written.set(writer, [number])
  else numbers.push(number)
}

/** Each number is there, and its first copy comes after the first copies of all before it. */
function faultsOf(
  written: ReadonlyMap<string, readonly number[]>,
  found: readonly (readonly [writer: string, number: number])[],
): readonly string[] {
  const places = new Map<string, number>()
  found.forEach(([writer, number], place) => {
    if (!places.has(`${writer}/${number}`)) places.set(`${writer}/${number}`, place)
  })
  const faults: string[] = []
  for (const [writer, numbers] of written) {
    let last = -1
    for (const number of numbers) {
      const place = places.get(`${writer}/${number}`)
      if (place === undefined) faults.push(`${number} of ${writer} is missing`)
      else if (place < last) faults.push(`${number} of ${writer} comes too early`)
      else last = place
    }
  }
  return faults
}
