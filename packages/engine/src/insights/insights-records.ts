import type { Engine } from '../engine.ts'
import { keySpace } from '../layout/key-space.ts'
import { RecordSpace } from '../records/record-space.ts'
import type { Store } from '../store/store.ts'

/** What Contributor Insights remembers, by table and index. ON DISK as JSON: members may be added, with a default for
 *  records that lack them. */
export class InsightsRecords {
  readonly settings: RecordSpace<InsightsSetting>

  constructor(store: Store) {
    this.settings = new RecordSpace(store, keySpace.contributorInsights)
  }
}

export interface InsightsSetting {
  /** A table of the same name that was made later is another. */
  readonly tableId: number
  readonly tableName: string
  readonly indexName?: string
  readonly enabled: boolean
  readonly mode: InsightsMode
  /** The end of its rules' names. */
  readonly rulesMadeAtMs: number
  readonly changedAtMs: number
}

export type InsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'

/** An index's record is named by it; the table's own by nothing, which no index is called. */
export function settingParts(tableName: string, indexName: string | undefined): readonly string[] {
  return [tableName, indexName ?? '']
}

/** Removes what is left of tables and indexes that are gone. */
export async function forgetInsights(engine: Engine): Promise<void> {
  const { settings } = engine.insights
  for (const { scope, parts, record } of await settings.all()) {
    const definition = engine.catalog.find(scope, record.tableName)?.definition
    const isThere =
      definition?.tableId === record.tableId &&
      (record.indexName === undefined ||
        definition.globalIndexes.some(({ indexName }) => indexName === record.indexName))
    if (!isThere)
      await settings.change(scope, parts, (current) => (current?.tableId === record.tableId ? undefined : current))
  }
}
