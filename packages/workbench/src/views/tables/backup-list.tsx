import { Archive, RotateCcw, Trash2 } from '../../icons/icons.generated.ts'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useCall, useInfo, useRefresh, useTableNames } from '../../api/queries.ts'
import { ScrollRegion } from '../../components/page/scroll-region.tsx'
import { Badge, StatusBadge } from '../../components/values/badge.tsx'
import { IconButton } from '../../components/controls/button.tsx'
import { confirm } from '../../components/dialogs/confirm.tsx'
import { EmptyState, ErrorBox, Skeleton } from '../../components/messages/notices.tsx'
import { tell, tellError } from '../../components/messages/toast.tsx'
import { useLink } from '../../state/links.ts'
import { formatAgo, formatBytes, formatTime } from '../../values/format.ts'
import { useBackups, type Backup } from './backups.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import '../../components/page/plain-table.css'

/** The backups of one table, or of all, those of deleted tables among them. */
export function BackupList({ tableName, action }: { readonly tableName?: string; readonly action?: ReactNode }) {
  const { data: backups, error, refetch } = useBackups(tableName)
  const [restored, setRestored] = useState<Backup>()
  const isReadOnly = useInfo()?.readOnly === true
  const remove = useDeleteBackup()
  const tables = useTableNames().data
  const link = useLink()
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />
  if (backups === undefined) return <Skeleton />
  if (backups.length === 0) {
    return (
      <EmptyState icon={<Archive />} title="No backups" actions={action}>
        A backup keeps a table as it was at one point in time, until you delete the backup. Clients can keep writing
        while it is created, and it is restored to a new table
        {tableName === undefined ? '. To create a backup, open a table' : ''}.
      </EmptyState>
    )
  }
  return (
    <>
      <ScrollRegion label="Backups">
        <table className="plain-table">
          <thead>
            <tr>
              <th>Backup</th>
              {tableName === undefined && <th>Table</th>}
              <th>Status</th>
              <th>Created</th>
              <th className="is-end">Size</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {backups.map((backup) => (
              <tr key={backup.BackupArn}>
                <td>
                  <span className="plain-name">{backup.BackupName}</span>{' '}
                  {backup.BackupType === 'SYSTEM' && (
                    <Badge title="Created when the table was deleted, because it had point-in-time recovery">
                      system
                    </Badge>
                  )}
                </td>
                {tableName === undefined && (
                  <td>
                    {tables?.includes(backup.TableName) === true ? (
                      <Link href={link('tables', backup.TableName)}>{backup.TableName}</Link>
                    ) : (
                      <>
                        {backup.TableName} <span className="muted">deleted</span>
                      </>
                    )}
                  </td>
                )}
                <td>
                  <StatusBadge status={backup.BackupStatus} />
                </td>
                <td className="number" title={formatTime(backup.BackupCreationDateTime)}>
                  {formatAgo(backup.BackupCreationDateTime)}
                  {backup.BackupExpiryDateTime !== undefined && (
                    <span className="muted">
                      {' '}
                      · kept until {formatTime(backup.BackupExpiryDateTime).slice(0, 10)}
                    </span>
                  )}
                </td>
                <td className="is-end number">{formatBytes(backup.BackupSizeBytes ?? 0)}</td>
                <td className="is-end">
                  {!isReadOnly && (
                    <span className="plain-actions">
                      <IconButton
                        label={`Restore ${backup.BackupName}`}
                        icon={<RotateCcw />}
                        disabled={backup.BackupStatus !== 'AVAILABLE'}
                        onClick={() => setRestored(backup)}
                      />
                      <IconButton
                        label={`Delete ${backup.BackupName}`}
                        icon={<Trash2 />}
                        disabled={backup.BackupStatus !== 'AVAILABLE'}
                        onClick={() => remove(backup)}
                      />
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {restored !== undefined && (
        <RestoreDialog source={{ kind: 'backup', backup: restored }} onClose={() => setRestored(undefined)} />
      )}
    </>
  )
}

function useDeleteBackup(): (backup: Backup) => void {
  const call = useCall()
  const refresh = useRefresh()
  return (backup) => {
    const work = async (): Promise<void> => {
      const isSure = await confirm({
        title: `Delete the backup ${backup.BackupName}?`,
        body: `You will no longer be able to restore ${backup.TableName} as it was at ${formatTime(backup.BackupCreationDateTime)} from it. This cannot be undone.`,
        action: 'Delete backup',
        tone: 'danger',
      })
      if (!isSure) return
      await call('DeleteBackup', { BackupArn: backup.BackupArn })
      await refresh()
      tell(`Deleted backup ${backup.BackupName}`)
    }
    work().catch(tellError)
  }
}
