import type { Scope } from '@hashrange/engine'
import type { MappingSettings } from '../mappings/mapping-settings.ts'
import type { ShardSource, StartFrom } from '../sources/shard-source.ts'
import type { ProgressStore } from './progress-store.ts'

/** A source whose records go to a function. */
export interface Mapping {
  readonly uuid: string
  readonly scope: Scope
  readonly functionName: string
  readonly source: ShardSource
  readonly startFrom: StartFrom
  readonly settings: MappingSettings
  readonly progress: ProgressStore
  /** Changes with every change of the mapping. */
  readonly revision: string
}
