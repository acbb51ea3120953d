import { sizeText, type DatabasePort } from '@hashrange/transfer'
import { withAdvice } from './backup-advice.ts'
import { followWork } from './backup-progress.ts'
import { listBackups } from './backups.ts'
import { counted } from './counted.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readFlags, required } from './read-flags.ts'

const help = `hashrange restore: creates a new table from a backup, or from an earlier state of another table

  hashrange restore --backup before-the-migration --to Music2 --endpoint http://127.0.0.1:8000
  hashrange restore --table Music --at 2026-06-15T12:00:00Z --to Music2 --endpoint http://127.0.0.1:8000
  hashrange restore --table Music --at latest --to Music2 --path .hashrange

  --backup BACKUP     the ARN of the backup, or its name if the name is unique
  --table NAME        or a table with point-in-time recovery,
  --at TIME           and a time in ISO 8601 (UTC unless it says otherwise), or latest
  --to NAME           the new table
  --endpoint PLACE    where they are: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables; by default the only one, or the shared one

The new table has the keys, indexes and billing mode of the old one. Its stream, time to live and tags are not restored: set
them again. The database does the work: Ctrl+C only stops watching, and a server carries on. To restore with other indexes or
another billing mode, use the API's RestoreTableFromBackup and RestoreTableToPointInTime.`

const flags = {
  backup: { type: 'string' },
  table: { type: 'string' },
  at: { type: 'string' },
  to: { type: 'string' },
  ...databaseFlags,
} as const

type Description = Readonly<Record<string, unknown>>

export async function restore(words: readonly string[]): Promise<number> {
  const values = readFlags('restore', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const source = sourceOf(values)
  const TableName = required('restore', '--to', values.to)
  const place = databasePlace('restore', values)
  const database = await openDatabase(place, { region: values.region, account: values.account })
  try {
    return await withAdvice(async () => {
      const { from, totalItems } = await beginRestore(database, source, TableName)
      const outcome = await followWork({
        label: `${from} to ${TableName}`,
        totalItems,
        look: async () => {
          const table = await describeRestored(database, TableName)
          return {
            isDone: table['TableStatus'] === 'ACTIVE',
            items: Number(table['ItemCount']),
            bytes: Number(table['TableSizeBytes']),
          }
        },
        goesOn: place.startsWith('lmdb:')
          ? `The restore will continue the next time a server or this command opens ${values.path}.`
          : `The database carries on without this command. You can use ${TableName} when DescribeTable shows ACTIVE.`,
      })
      if (outcome === undefined) return 130
      const { items, bytes } = outcome
      console.log(
        `Restored ${counted(items, 'item')} (${sizeText(bytes)}) from ${from} to ${TableName} in ${database.name}.`,
      )
      return 0
    })
  } finally {
    await database.close()
  }
}

type Source =
  | { readonly kind: 'backup'; readonly backup: string }
  /** `atSeconds` is absent for the latest possible time. */
  | { readonly kind: 'table'; readonly tableName: string; readonly atSeconds: number | undefined }

function sourceOf({ backup, table, at }: Partial<Record<'backup' | 'table' | 'at', string | undefined>>): Source {
  if (backup !== undefined && (table ?? at) !== undefined) {
    throw new Mistake('Use either --backup, or --table with --at, not both.')
  }
  if (backup !== undefined && backup !== '') return { kind: 'backup', backup }
  const tableName = required('restore', '--backup, or --table with --at,', table)
  const time = required('restore', '--at', at)
  return { kind: 'table', tableName, atSeconds: time === 'latest' ? undefined : secondsOf(time) }
}

/** A time without a zone would mean a different moment on every machine. */
function secondsOf(time: string): number {
  const isIso = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i.test(time)
  const zoned = /Z$|[+-]\d\d:?\d\d$/i.test(time.slice(10)) || time.length === 10 ? time : `${time}Z`
  const timeMs = isIso ? Date.parse(zoned) : Number.NaN
  if (!Number.isNaN(timeMs)) return timeMs / 1000
  throw new Mistake(`--at must be a time such as 2026-06-15T12:00:00Z, or latest, not "${time}".`)
}

interface BegunRestore {
  /** What is restored, in words. */
  readonly from: string
  readonly totalItems: number
}

async function beginRestore(
  database: DatabasePort,
  source: Source,
  TargetTableName: string,
): Promise<BegunRestore> {
  if (source.kind === 'backup') {
    const BackupArn = await arnOf(database, source.backup)
    const { BackupDescription } = await database.request('DescribeBackup', { BackupArn })
    const { BackupDetails, SourceTableDetails } = BackupDescription as Record<string, Description>
    await database.request('RestoreTableFromBackup', { BackupArn, TargetTableName })
    return {
      from: String(BackupDetails?.['BackupName']),
      totalItems: Number(SourceTableDetails?.['ItemCount'] ?? 0),
    }
  }
  const { tableName, atSeconds } = source
  await database.request('RestoreTableToPointInTime', {
    SourceTableName: tableName,
    TargetTableName,
    ...(atSeconds === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: atSeconds }),
  })
  const { Table } = await database.request('DescribeTable', { TableName: tableName })
  return { from: tableName, totalItems: Number((Table as Description)['ItemCount']) }
}

/** Several backups may have the same name. */
async function arnOf(database: DatabasePort, nameOrArn: string): Promise<string> {
  if (nameOrArn.startsWith('arn:')) return nameOrArn
  const found = (await listBackups(database)).filter(({ BackupName }) => BackupName === nameOrArn)
  const [only] = found
  if (only === undefined) {
    throw new Mistake(
      `There is no backup named "${nameOrArn}" in ${database.name}. To list the backups: hashrange backups`,
    )
  }
  if (found.length > 1) {
    const arns = found.map(({ BackupArn }) => BackupArn).join(', ')
    throw new Mistake(`There are ${found.length} backups named "${nameOrArn}". Use the ARN of one of them: ${arns}`)
  }
  return only.BackupArn
}

async function describeRestored(database: DatabasePort, TableName: string): Promise<Description> {
  try {
    return (await database.request('DescribeTable', { TableName }))['Table'] as Description
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error
    throw new Error(
      `${TableName} no longer exists: it was deleted, or it could not be restored. See the server's log for the reason.`,
      {
        cause: error,
      },
    )
  }
}
