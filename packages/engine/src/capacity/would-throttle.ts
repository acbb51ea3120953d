import type { Table } from '../catalog/table.ts'
import type { IndexDefinition } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import type { Partition } from '../partitions/partition.ts'
import type { Side } from '../partitions/partition-limits.ts'
import { reasonName, type ThrottleCause } from './throttled.ts'
import type { Exhaustion } from '../partitions/throughput.ts'

/** A request that the service would have throttled, reported once for each table, key range and reason. */
export interface WouldThrottle {
  readonly scope: Scope
  readonly tableName: string
  readonly indexName: string | undefined
  readonly side: Side
  /** The service's name for it, such as `TableWriteKeyRangeThroughputExceeded`. */
  readonly reason: string
  /** The partition key where it was noticed. */
  readonly key: string | undefined
  /** The range of hashes, in hexadecimal. */
  readonly keyRange: { readonly from: string; readonly to: string }
  /** What to do about it. */
  readonly remedy: string
  /** All of this in one sentence. */
  readonly message: string
}

export function wouldThrottle(
  table: Table,
  index: IndexDefinition | undefined,
  cause: ThrottleCause,
  exhaustion: Exhaustion,
  partition: Partition,
  key: string | undefined,
): WouldThrottle {
  const { accountId, region, tableName } = table.definition
  const indexName = index?.kind === 'global' ? index.indexName : undefined
  const reason = reasonName(cause, exhaustion)
  const remedy = remedyFor(exhaustion, cause.side, indexName)
  const what = `${cause.side === 'read' ? 'a read of' : 'a write to'} ${tableName}${indexName === undefined ? '' : `/${indexName}`}`
  const at = key === undefined ? '' : ` at the key ${shortened(key)}`
  return {
    scope: { accountId, region },
    tableName,
    indexName,
    side: cause.side,
    reason,
    key,
    keyRange: { from: partition.from.hex, to: partition.to?.hex ?? '' },
    remedy,
    message: `AWS would have throttled ${what}${at} (${reason}). ${remedy}`,
  }
}

function remedyFor(exhaustion: Exhaustion, side: Side, indexName: string | undefined): string {
  const units = side === 'read' ? 'ReadCapacityUnits' : 'WriteCapacityUnits'
  const whose = indexName === undefined ? "the table's" : `the index ${indexName}'s`
  switch (exhaustion) {
    case 'ProvisionedThroughput':
      return `Raise ${whose} ${units} with UpdateTable or auto scaling, or switch to PAY_PER_REQUEST.`
    case 'KeyRangeThroughput':
      return side === 'read'
        ? 'A partition supports 3,000 read units per second. Spread the reads over more partition keys, use eventually consistent reads, or cache the most popular items.'
        : 'A partition supports 1,000 write units per second. Spread the writes over more partition keys, for example by adding a suffix from 0 to 9.'
    case 'MaxOnDemandThroughput':
      return `Raise ${whose} ${side === 'read' ? 'MaxReadRequestUnits' : 'MaxWriteRequestUnits'} with UpdateTable, or remove it with -1.`
    case 'AccountLimit':
      return 'By default, an account can use 40,000 units per second on each table. Ask AWS for a higher quota, or use several tables.'
  }
}

function shortened(key: string): string {
  return key.length <= 100 ? key : `${key.slice(0, 100)}…`
}
