import type { Monitoring } from '../monitoring.ts'

/** Removes what is left of deleted tables and indexes. */
export async function forgetInsights(monitoring: Monitoring): Promise<void> {
  const { settings } = monitoring.insights
  for (const { scope, parts, record } of await settings.all()) {
    const definition = monitoring.definitionOf(scope, record.tableName)
    const isThere =
      definition?.tableId === record.tableId &&
      (record.indexName === undefined ||
        definition.globalIndexes.some(({ indexName }) => indexName === record.indexName))
    if (!isThere)
      await settings.change(scope, parts, (current) => (current?.tableId === record.tableId ? undefined : current))
  }
}
