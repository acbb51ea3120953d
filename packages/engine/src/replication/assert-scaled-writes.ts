import { validationException } from '@hashrange/core'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { recordRange } from '../layout/key-space.ts'
import type { Store } from '../store/store.ts'

/** A replica must be able to take whatever the others can: provisioned writes need a scaling policy before the table
 *  gets replicas. */
export async function assertScaledWrites(store: Store, definition: TableDefinition): Promise<void> {
  if (definition.billing.mode === 'PAY_PER_REQUEST') return
  const { accountId, region, tableName, globalIndexes } = definition
  const hasPolicy = async (resource: string, dimension: string): Promise<boolean> => {
    let isFound = false
    const range = recordRange('scalingPolicy', accountId, region, [resource, dimension])
    await store.view((snapshot) =>
      snapshot.range({ ...range, limit: 1 }, () => {
        isFound = true
        return false
      }),
    )
    return isFound
  }
  if (!(await hasPolicy(`table/${tableName}`, 'dynamodb:table:WriteCapacityUnits'))) {
    throw validationException('Table write capacity should either be Pay-Per-Request or AutoScaled.')
  }
  for (const { indexName } of globalIndexes) {
    if (await hasPolicy(`table/${tableName}/index/${indexName}`, 'dynamodb:index:WriteCapacityUnits')) continue
    throw validationException('GSI write capacity should either be Pay-Per-Request or AutoScaled.')
  }
}
