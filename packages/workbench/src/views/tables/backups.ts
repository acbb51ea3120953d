import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/api.ts'
import { scopeKey } from '../../api/queries.ts'
import { useScope } from '../../state/scope.tsx'

export interface Backup {
  readonly BackupArn: string
  readonly BackupName: string
  readonly BackupStatus: 'CREATING' | 'AVAILABLE' | 'DELETED'
  readonly BackupType: 'USER' | 'SYSTEM'
  readonly BackupCreationDateTime: number
  readonly BackupExpiryDateTime?: number
  readonly BackupSizeBytes?: number
  readonly TableName: string
}

interface BackupsPage {
  readonly BackupSummaries: readonly Backup[]
  readonly LastEvaluatedBackupArn?: string
}

/** The backups of a table, or all of them; the newest first. */
export function useBackups(tableName: string | undefined) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'backups', tableName ?? ''],
    queryFn: async ({ signal }) => {
      const backups: Backup[] = []
      let start: string | undefined
      do {
        const page: BackupsPage = await call<BackupsPage>(
          scope,
          'ListBackups',
          {
            BackupType: 'ALL',
            ...(tableName !== undefined && { TableName: tableName }),
            ...(start !== undefined && { ExclusiveStartBackupArn: start }),
          },
          signal,
        )
        backups.push(...page.BackupSummaries)
        start = page.LastEvaluatedBackupArn
      } while (start !== undefined)
      return backups.toSorted((a, b) => b.BackupCreationDateTime - a.BackupCreationDateTime)
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ BackupStatus }) => BackupStatus === 'CREATING') === true ? 500 : false,
  })
}
