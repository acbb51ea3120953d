import { useCallback } from 'react'
import { useCall, useRefresh } from '../../api/queries.ts'
import type { TableDescription } from '../../api-types.ts'
import { confirm } from '../../components/dialogs/confirm.tsx'
import { tell, tellError } from '../../components/messages/toast.tsx'
import { useGo } from '../../state/links.ts'
import { plural } from '../../values/format.ts'
import type { Backup } from './backups.ts'
import type { Recovery } from './table-summaries.ts'

/** Deletes a table after its name was typed. One that had point-in-time recovery leaves a backup, from which the deletion can be
 *  undone. */
export function useDeleteTable(): (table: TableDescription) => void {
  const call = useCall()
  const refresh = useRefresh()
  const go = useGo()
  return useCallback(
    (table) => {
      const { TableName } = table
      const work = async (): Promise<void> => {
        const { ContinuousBackupsDescription: recovery } = await call<{ ContinuousBackupsDescription: Recovery }>(
          'DescribeContinuousBackups',
          { TableName },
        )
        const leavesBackup = recovery.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED'
        const isSure = await confirm({
          title: `Delete ${TableName}?`,
          body: `${plural(table.ItemCount, 'item')} will be deleted, with all indexes. ${
            leavesBackup
              ? 'The table has point-in-time recovery, so a backup is kept for 35 days.'
              : 'This cannot be undone. If you may need the data again, create a backup first.'
          }`,
          action: 'Delete table',
          tone: 'danger',
          typeToConfirm: TableName,
        })
        if (!isSure) return
        await call('DeleteTable', { TableName })
        go('tables')
        await refresh()
        tell(`Deleted table ${TableName}`, leavesBackup ? { undo: () => restore(TableName) } : {})
      }
      const restore = async (name: string): Promise<void> => {
        const newest = await newestBackup(call, name)
        if (newest === undefined) throw new Error(`No backup of ${name} was kept.`)
        await call('RestoreTableFromBackup', { BackupArn: newest.BackupArn, TargetTableName: name })
        await refresh()
        tell(`Restoring ${name}`)
      }
      work().catch(tellError)
    },
    [call, refresh, go],
  )
}

/** The backup that the deletion has left, as soon as it is complete. */
async function newestBackup(call: ReturnType<typeof useCall>, TableName: string): Promise<Backup | undefined> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const { BackupSummaries } = await call<{ BackupSummaries: readonly Backup[] }>('ListBackups', {
      TableName,
      BackupType: 'SYSTEM',
    })
    const newest = BackupSummaries.toSorted((a, b) => b.BackupCreationDateTime - a.BackupCreationDateTime)[0]
    if (newest?.BackupStatus === 'AVAILABLE') return newest
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return undefined
}
