/** The little of Kinesis's API that tests of whole servers need. */

const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/kinesis/aws4_request, SignedHeaders=host, Signature=0'

export async function kinesis<Answer>(endpoint: string, operation: string, input: object): Promise<Answer> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `Kinesis_20131202.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization: authorization,
    },
    body: JSON.stringify(input),
    signal: AbortSignal.timeout(20_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operation}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Answer
}

export interface ReadRecord {
  readonly shard: string
  readonly sequenceNumber: string
  readonly partitionKey: string
  readonly text: string
}

interface Shards {
  readonly Shards: readonly { readonly ShardId: string }[]
}

interface Page {
  readonly Records: readonly {
    readonly SequenceNumber: string
    readonly PartitionKey: string
    readonly Data: string
  }[]
  readonly NextShardIterator?: string
  readonly MillisBehindLatest: number
}

/** Everything that is in a stream now, of parents before their children. */
export async function readStream(endpoint: string, StreamName: string): Promise<readonly ReadRecord[]> {
  const records: ReadRecord[] = []
  const { Shards } = await kinesis<Shards>(endpoint, 'ListShards', { StreamName })
  for (const { ShardId } of Shards) {
    const ask = { StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    const first = await kinesis<{ readonly ShardIterator: string }>(endpoint, 'GetShardIterator', ask)
    let next: string | undefined = first.ShardIterator
    while (next !== undefined) {
      const page: Page = await kinesis<Page>(endpoint, 'GetRecords', { ShardIterator: next })
      for (const { SequenceNumber, PartitionKey, Data } of page.Records) {
        const text = Buffer.from(Data, 'base64').toString('utf8')
        records.push({ shard: ShardId, sequenceNumber: SequenceNumber, partitionKey: PartitionKey, text })
      }
      next = page.Records.length === 0 && page.MillisBehindLatest === 0 ? undefined : page.NextShardIterator
    }
  }
  return records
}
