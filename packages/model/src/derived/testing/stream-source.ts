import type { Database } from 'hashrange'
import type { AnyStreamRecord } from '../../changes/stream-record.ts'

interface Described {
  readonly LatestStreamArn?: string
}

/** The changes of a table so far, in the form in which Lambda passes them on, shard after shard. */
export class StreamSource {
  readonly #database: Database
  readonly #table: string
  readonly #iterators = new Map<string, string | undefined>()

  constructor(database: Database, table: string) {
    this.#database = database
    this.#table = table
  }

  async streamArn(): Promise<string> {
    const { Table } = await this.#database.execute('DescribeTable', { TableName: this.#table })
    return (Table as Described).LatestStreamArn ?? ''
  }

  /** What has come since the last call. */
  async next(): Promise<readonly AnyStreamRecord[]> {
    const StreamArn = await this.streamArn()
    const { StreamDescription } = await this.#database.execute('DescribeStream', { StreamArn })
    const shards = (StreamDescription as { Shards: { ShardId: string }[] }).Shards
    const records: AnyStreamRecord[] = []
    for (const { ShardId } of shards) {
      if (!this.#iterators.has(ShardId)) {
        const input = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
        this.#iterators.set(
          ShardId,
          (await this.#database.execute('GetShardIterator', input))['ShardIterator'] as string,
        )
      }
      for (;;) {
        const iterator = this.#iterators.get(ShardId)
        if (iterator === undefined) break
        const read = await this.#database.execute('GetRecords', { ShardIterator: iterator })
        this.#iterators.set(ShardId, read['NextShardIterator'] as string | undefined)
        const found = read['Records'] as AnyStreamRecord[]
        records.push(...found.map((record) => ({ ...record, eventSourceARN: StreamArn })))
        if (found.length === 0) break
      }
    }
    return records
  }
}
