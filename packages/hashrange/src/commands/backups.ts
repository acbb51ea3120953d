import { sizeText, type DatabasePort } from '@hashrange/transfer'
import { withAdvice } from './backup-advice.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readFlags } from './read-flags.ts'

const help = `hashrange backups: lists backups, oldest first

  hashrange backups --endpoint http://127.0.0.1:8000
  hashrange backups --table Music --path .hashrange

  --table NAME        only the backups of this table, which may have been deleted
  --endpoint PLACE    where the backups are: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the backups; by default the only one, or the shared one

The database makes a SYSTEM backup when a table with point-in-time recovery is deleted, and keeps it for 35 days.`

const flags = {
  table: { type: 'string' },
  ...databaseFlags,
} as const

export async function backups(words: readonly string[]): Promise<number> {
  const values = readFlags('backups', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const place = databasePlace('backups', values)
  const database = await openDatabase(place, { region: values.region, account: values.account })
  try {
    const found = await withAdvice(() => listBackups(database, values.table))
    const whose = values.table === undefined ? '' : ` of ${values.table}`
    if (found.length === 0) console.log(`There are no backups${whose} in ${database.name}.`)
    else console.log(columns([heading, ...found.map(row)]))
    return 0
  } finally {
    await database.close()
  }
}

export interface BackupSummary {
  readonly BackupArn: string
  readonly BackupName: string
  readonly BackupStatus: string
  readonly BackupType: string
  readonly BackupSizeBytes?: number
  /** In seconds. */
  readonly BackupCreationDateTime: number
  readonly TableName: string
}

/** All backups, including automatic ones. */
export async function listBackups(database: DatabasePort, tableName?: string): Promise<readonly BackupSummary[]> {
  const found: BackupSummary[] = []
  let start: unknown
  do {
    const page = await database.request('ListBackups', {
      BackupType: 'ALL',
      ...(tableName !== undefined && { TableName: tableName }),
      ...(start !== undefined && { ExclusiveStartBackupArn: start }),
    })
    found.push(...(page['BackupSummaries'] as BackupSummary[]))
    start = page['LastEvaluatedBackupArn']
  } while (start !== undefined)
  return found
}

const heading = ['NAME', 'TABLE', 'STATUS', 'SIZE', 'CREATED', 'TYPE', 'ARN']

function row(backup: BackupSummary): string[] {
  return [
    backup.BackupName,
    backup.TableName,
    backup.BackupStatus,
    sizeText(backup.BackupSizeBytes ?? 0),
    `${new Date(backup.BackupCreationDateTime * 1000).toISOString().slice(0, 19)}Z`,
    backup.BackupType,
    backup.BackupArn,
  ]
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = heading.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
