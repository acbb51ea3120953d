import type { RecordSpace, ServiceHost } from '@hashrange/engine'

/** What Contributor Insights remembers, by table and index. ON DISK as JSON: members may be added, with a default for
 *  records that lack them. */
export class InsightsRecords {
  readonly settings: RecordSpace<InsightsSetting>

  constructor(host: ServiceHost) {
    this.settings = host.records('contributorInsights')
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
