import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { MappingFigures } from '../delivery/figures.ts'
import type { Mapping } from '../delivery/mapping.ts'
import type { Lambda } from '../lambda.ts'
import { describeMapping } from '../mappings/describe-mapping.ts'
import type { MappingRecord, ShardProgress } from '../mappings/mapping-record.ts'
import { mappingsOf } from '../operations/mapping-book.ts'

/** How one mapping is doing: what Lambda says of it, what waits for it, and what this process has delivered. */
export interface TriggerReport {
  /** `EventSourceMappingConfiguration` on the wire. */
  readonly description: object
  readonly record: MappingRecord
  /** Whether it was declared where the server was started, and not through the API. */
  readonly isDeclared: boolean
  readonly waiting: Waiting
  /** Undefined if this process has delivered nothing. */
  readonly figures: MappingFigures | undefined
}

/** What is in the stream and not yet done. */
export interface Waiting {
  /** How many records; counting ends at `mostCounted` for each shard. */
  readonly records: number
  readonly isMore: boolean
  /** How old the oldest of them is; 0 if nothing waits. */
  readonly ageMs: number
  readonly shards: number
}

const mostCounted = 100
const mostShards = 64

/** The mappings of a scope whose source is the stream of one table, or of any. */
export async function triggerReports(
  lambda: Lambda,
  scope: Scope,
  tableName?: string,
): Promise<readonly TriggerReport[]> {
  const declared = new Map((await lambda.declaredMappings()).map((mapping) => [mapping.uuid, mapping]))
  const records = (await mappingsOf(lambda, scope)).filter(
    ({ sourceArn }) => tableName === undefined || sourceArn.includes(`:table/${tableName}/stream/`),
  )
  return Promise.all(
    records.map(async (record) => {
      const mapping = declared.get(record.uuid) ?? lambda.mappingOf(scope, record)
      const progress = await mapping.progress.load(record.uuid)
      return {
        description: describeMapping(scope, record, progress.values()),
        record,
        isDeclared: declared.has(record.uuid),
        waiting: await waitingOf(mapping, progress, lambda.nowMs()),
        figures: lambda.figures.find(record.uuid),
      }
    }),
  )
}

async function waitingOf(
  mapping: Mapping,
  progress: ReadonlyMap<string, ShardProgress>,
  nowMs: number,
): Promise<Waiting> {
  let records = 0
  let isMore = false
  let ageMs = 0
  let shards = 0
  try {
    const open = (await mapping.source.shards()).filter(({ id }) => progress.get(id)?.isEnded !== true)
    shards = open.length
    isMore = open.length > mostShards
    for (const { id } of open.slice(0, mostShards)) {
      const after = progress.get(id)?.after
      const from = after === undefined ? await mapping.source.start(id, mapping.startFrom) : BigInt(after)
      const page = await mapping.source.read(id, from, mostCounted)
      records += page.records.length
      isMore ||= page.records.length === mostCounted
      const [oldest] = page.records
      if (oldest !== undefined) ageMs = Math.max(ageMs, nowMs - oldest.atMs)
    }
  } catch (error) {
    // The stream is gone, and with it what waited.
    if (!(error instanceof ServiceError)) throw error
  }
  return { records, isMore, ageMs, shards }
}
