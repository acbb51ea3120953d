import { useCall, useRefresh } from '../../../api/queries.ts'
import { createTableInput, type TableDraft } from './table-draft.ts'

/** CreateTable, and then what only a table that exists can be given. */
export function useMakeTable(): (draft: TableDraft) => Promise<void> {
  const call = useCall()
  const refresh = useRefresh()
  return async (draft) => {
    await call('CreateTable', createTableInput(draft))
    const TableName = draft.name
    try {
      if (draft.ttlAttribute !== '') {
        const TimeToLiveSpecification = { Enabled: true, AttributeName: draft.ttlAttribute }
        await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
      }
      if (draft.hasRecovery) {
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
        await call('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification })
      }
    } finally {
      await refresh()
    }
  }
}
