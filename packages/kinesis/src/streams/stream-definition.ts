import type { Scope } from '@hashrange/engine'
import type { StreamMode } from '../api/kinesis-inputs.ts'

/** Everything that is stored about a stream besides its records. ON DISK as JSON: members may be added, with a default
 *  for definitions that lack them. */
export interface StreamDefinition {
  readonly name: string
  /** Names its shards and records in the store; never reused. */
  readonly id: number
  readonly createdAtMs: number
  readonly mode: StreamMode
  readonly retentionHours: number
  readonly maxRecordKiB: number
  /** The key that encryption was requested with. Nothing is encrypted with it. */
  readonly keyId?: string
  readonly shardLevelMetrics: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  /** In the order in which they were opened: those that are open, and closed ones as long as their records are kept. */
  readonly shards: readonly ShardDefinition[]
  readonly nextShard: number
}

export interface ShardDefinition {
  readonly shard: number
  readonly parent?: number
  readonly adjacentParent?: number
  /** The hash keys that it has, both inclusive, as decimal numbers. */
  readonly fromHash: string
  readonly toHash: string
  /** The sequence from which its records are. */
  readonly openedAt: string
  /** The last sequence that it may have, if it is closed. */
  readonly closedAt?: string
}

export const defaultRetentionHours = 24
export const defaultMaxRecordKiB = 1024

export function streamArn({ accountId, region }: Scope, streamName: string): string {
  return `arn:aws:kinesis:${region}:${accountId}:stream/${streamName}`
}

export function shardName(shard: number): string {
  return `shardId-${shard.toString().padStart(12, '0')}`
}

/** Undefined for a name that no shard can have. */
export function shardOfName(name: string): number | undefined {
  const [, digits] = /^(?:shardId-)?0*(\d{1,10})$/.exec(name) ?? []
  const shard = Number(digits ?? Number.NaN)
  return shard < 2 ** 31 ? shard : undefined
}

export function isOpen({ closedAt }: ShardDefinition): boolean {
  return closedAt === undefined
}

/** The shards that are written to: together they have every hash key once. */
export function openShards({ shards }: StreamDefinition): readonly ShardDefinition[] {
  return shards.filter(isOpen)
}
