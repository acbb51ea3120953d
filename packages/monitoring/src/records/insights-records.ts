import type { RecordSpace, ServiceHost } from '@hashrange/engine'

/** The records of Contributor Insights, by table and index. ON DISK as JSON: members may be added, with a default for
 *  records that lack them. */
export class InsightsRecords {
  readonly settings: RecordSpace<InsightsSetting>

  constructor(host: ServiceHost) {
    this.settings = host.records('contributorInsights')
  }
}

export interface InsightsSetting {
  /** A later table of the same name is a different one. */
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

/** The record of an index has its name; the table's own has an empty one, which no index can have. */
export function settingParts(tableName: string, indexName: string | undefined): readonly string[] {
  return [tableName, indexName ?? '']
}
