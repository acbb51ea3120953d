import type { MappingSettings } from './mapping-settings.ts'

/** An event source mapping that was created through the API. ON DISK as JSON: members may be added, with a default for
 *  records that lack them. */
export interface MappingRecord {
  readonly uuid: string
  readonly sourceArn: string
  readonly functionName: string
  readonly isEnabled: boolean
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST' | 'AT_TIMESTAMP'
  readonly startingAtMs?: number | undefined
  readonly settings: MappingSettings
  readonly modifiedAtMs: number
  readonly tags: Readonly<Record<string, string>>
}

/** How far a mapping has come in one shard. ON DISK as JSON. Sequences are decimal texts. */
export interface ShardProgress {
  readonly mapping: string
  readonly shardId: string
  /** Everything up to this sequence is done. */
  readonly after: string
  /** With parallelization: up to where each of the lanes is done, if that is further. */
  readonly lanes?: readonly string[] | undefined
  /** Whether the shard is closed and all of it is done. */
  readonly isEnded?: boolean | undefined
  /** The state of a tumbling window. */
  readonly window?: WindowState | undefined
  readonly result?: string | undefined
  readonly resultAtMs?: number | undefined
}

export interface WindowState {
  readonly startMs: number
  /** JSON of what the function returned last. */
  readonly state: string
}
