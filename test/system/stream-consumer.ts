import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { _Record, DynamoDBStreams, Shard } from '@aws-sdk/client-dynamodb-streams'
import { persist } from './persist.ts'

export interface StreamClients {
  readonly database: DynamoDB
  readonly streams: DynamoDBStreams
}

export interface ConsumerOptions {
  /** Unique among the consumers that share the leases. */
  readonly name: string
  readonly streamArn: string
  /** A table with the partition key `shardId`. */
  readonly leaseTable: string
  readonly deliver: (records: readonly _Record[]) => void
}

/** A worker of a group that reads a stream together, as the Kinesis Client Library does it: whoever holds a shard's lease
 *  reads the shard, and says in the lease how far it has come. A child's lease is free once its parent has been read to
 *  its end. */
export class StreamConsumer {
  readonly #clients: StreamClients
  readonly #options: ConsumerOptions

  constructor(clients: StreamClients, options: ConsumerOptions) {
    this.#clients = clients
    this.#options = options
  }

  async run(stopping: { readonly aborted: boolean }): Promise<void> {
    while (!stopping.aborted) {
      await this.#addLeases()
      const lease = await this.#takeLease()
      if (lease === undefined) await pause(20)
      else await this.#work(lease, stopping)
    }
  }

  /** Reads on until nothing more comes or others should have their turn. */
  async #work(lease: Lease, stopping: { readonly aborted: boolean }): Promise<void> {
    let { checkpoint } = lease
    let iterator = await this.#iterator(lease)
    for (let page = 0; page < pagesPerTurn && !stopping.aborted; page++) {
      const request = { ShardIterator: iterator }
      const answer = await persist(() => this.#clients.streams.getRecords(request))
      const records = answer.Records ?? []
      this.#options.deliver(records)
      checkpoint = records.at(-1)?.dynamodb?.SequenceNumber ?? checkpoint
      if (answer.NextShardIterator === undefined) {
        await this.#save(lease, 'SET checkpoint = :checkpoint, ended = :ended', checkpoint, {
          ':ended': { BOOL: true },
        })
        return
      }
      iterator = answer.NextShardIterator
      if (records.length === 0) break
      const renewedAt = { N: String(Date.now()) }
      await this.#save(lease, 'SET checkpoint = :checkpoint, renewedAt = :now', checkpoint, { ':now': renewedAt })
    }
    await this.#save(lease, 'SET checkpoint = :checkpoint REMOVE #owner', checkpoint)
  }

  async #iterator({ shardId, checkpoint }: Lease): Promise<string> {
    const request = { StreamArn: this.#options.streamArn, ShardId: shardId }
    const answer = await persist(() =>
      this.#clients.streams.getShardIterator(
        checkpoint === 'TRIM_HORIZON'
          ? { ...request, ShardIteratorType: 'TRIM_HORIZON' }
          : { ...request, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: checkpoint },
      ),
    )
    if (answer.ShardIterator === undefined) throw new Error(`no iterator for ${shardId}`)
    return answer.ShardIterator
  }

  async #addLeases(): Promise<void> {
    const known = new Set((await this.#leases()).map(({ shardId }) => shardId))
    for (const { ShardId = '', ParentShardId } of await listShards(
      this.#clients.streams,
      this.#options.streamArn,
    )) {
      if (known.has(ShardId)) continue
      await unlessTaken(
        persist(() =>
          this.#clients.database.putItem({
            TableName: this.#options.leaseTable,
            Item: {
              shardId: { S: ShardId },
              checkpoint: { S: 'TRIM_HORIZON' },
              ...(ParentShardId !== undefined && { parent: { S: ParentShardId } }),
            },
            ConditionExpression: 'attribute_not_exists(shardId)',
          }),
        ),
      )
    }
  }

  async #takeLease(): Promise<Lease | undefined> {
    const leases = await this.#leases()
    const ended = new Set(leases.filter((lease) => lease.ended).map(({ shardId }) => shardId))
    const free = leases.filter(
      (lease) =>
        !lease.ended &&
        (lease.parent === undefined || ended.has(lease.parent)) &&
        (lease.owner === undefined || lease.renewedAtMs < Date.now() - leaseMs),
    )
    const lease = free[Math.floor(Math.random() * free.length)]
    if (lease === undefined) return undefined
    const taken = await unlessTaken(
      persist(() =>
        this.#clients.database.updateItem({
          TableName: this.#options.leaseTable,
          Key: { shardId: { S: lease.shardId } },
          UpdateExpression: 'SET #owner = :me, renewedAt = :now',
          // A server that was killed may have granted it already, and not said so.
          ConditionExpression:
            'checkpoint = :checkpoint AND (attribute_not_exists(#owner) OR #owner = :me OR renewedAt = :seen)',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: {
            ':me': { S: this.#options.name },
            ':now': { N: String(Date.now()) },
            ':seen': { N: String(lease.renewedAtMs) },
            ':checkpoint': { S: lease.checkpoint },
          },
        }),
      ),
    )
    return taken ? lease : undefined
  }

  async #save(
    lease: Lease,
    update: string,
    checkpoint: string,
    values: Readonly<Record<string, { N: string } | { BOOL: boolean }>> = {},
  ): Promise<void> {
    await persist(() =>
      this.#clients.database.updateItem({
        TableName: this.#options.leaseTable,
        Key: { shardId: { S: lease.shardId } },
        UpdateExpression: update,
        // Without an owner, the very update was made already: nobody else takes the lease away in time.
        ConditionExpression: '#owner = :me OR (attribute_not_exists(#owner) AND checkpoint = :checkpoint)',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':me': { S: this.#options.name },
          ':checkpoint': { S: checkpoint },
          ...values,
        },
      }),
    )
  }

  async #leases(): Promise<readonly Lease[]> {
    const request = { TableName: this.#options.leaseTable, ConsistentRead: true }
    const { Items: items = [] } = await persist(() => this.#clients.database.scan(request))
    return items.map((item) => ({
      shardId: item['shardId']?.S ?? '',
      checkpoint: item['checkpoint']?.S ?? '',
      parent: item['parent']?.S,
      owner: item['owner']?.S,
      renewedAtMs: Number(item['renewedAt']?.N ?? 0),
      ended: item['ended']?.BOOL ?? false,
    }))
  }
}

export async function listShards(streams: DynamoDBStreams, StreamArn: string): Promise<readonly Shard[]> {
  const shards: Shard[] = []
  let start: string | undefined
  do {
    const request = { StreamArn, ...(start !== undefined && { ExclusiveStartShardId: start }) }
    const { StreamDescription: description } = await persist(() => streams.describeStream(request))
    shards.push(...(description?.Shards ?? []))
    start = description?.LastEvaluatedShardId
  } while (start !== undefined)
  return shards
}

interface Lease {
  readonly shardId: string
  readonly checkpoint: string
  readonly parent: string | undefined
  readonly owner: string | undefined
  readonly renewedAtMs: number
  readonly ended: boolean
}

const leaseMs = 60_000
const pagesPerTurn = 10

/** False if somebody else was quicker. */
async function unlessTaken(update: Promise<unknown>): Promise<boolean> {
  try {
    await update
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false
    throw error
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
