import { sizeText } from '@hashrange/transfer'
import { withAdvice } from './backup-advice.ts'
import { followWork } from './backup-progress.ts'
import { counted } from './counted.ts'
import { openDatabase } from './open-database.ts'
import { databaseFlags, databasePlace, readFlags, required } from './read-flags.ts'

const help = `hashrange backup: backs up a table as it is now

  hashrange backup --table Music --endpoint http://127.0.0.1:8000
  hashrange backup --table Music --name before-the-migration --path .hashrange

  --table NAME        the table
  --name NAME         the name of the backup; by default the table's name and the time
  --endpoint PLACE    where the table is: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables; by default the only one, or the shared one

The backup holds the table as it was when you ran the command; clients can keep writing to the table. The database does the
work: Ctrl+C only stops watching, and a server carries on. hashrange backups lists backups, and hashrange restore creates a
table from one.`

const flags = {
  table: { type: 'string' },
  name: { type: 'string' },
  ...databaseFlags,
} as const

type Description = Readonly<Record<string, unknown>>

export async function backup(words: readonly string[]): Promise<number> {
  const values = readFlags('backup', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const TableName = required('backup', '--table', values.table)
  const BackupName = values.name ?? defaultName(TableName, new Date())
  const place = databasePlace('backup', values)
  const database = await openDatabase(place, { region: values.region, account: values.account })
  try {
    return await withAdvice(async () => {
      const { Table } = await database.request('DescribeTable', { TableName })
      const { BackupDetails: begun } = await database.request('CreateBackup', { TableName, BackupName })
      const BackupArn = String((begun as Description)['BackupArn'])
      const outcome = await followWork({
        label: `${TableName} to ${BackupName}`,
        totalItems: Number((Table as Description)['ItemCount']),
        look: async () => {
          const { BackupDescription } = await database.request('DescribeBackup', { BackupArn })
          const { BackupDetails: details, SourceTableDetails: source } = BackupDescription as Record<
            string,
            Description
          >
          return {
            isDone: details?.['BackupStatus'] !== 'CREATING',
            items: Number(source?.['ItemCount'] ?? 0),
            bytes: Number(details?.['BackupSizeBytes'] ?? 0),
          }
        },
        goesOn: place.startsWith('lmdb:')
          ? `The backup will continue the next time a server or this command opens ${values.path}.`
          : 'The database carries on without this command. hashrange backups shows when the backup is AVAILABLE.',
      })
      if (outcome === undefined) return 130
      const { items, bytes } = outcome
      console.log(
        `Backed up ${counted(items, 'item')} (${sizeText(bytes)}) of ${TableName} in ${database.name}: ${BackupArn}`,
      )
      return 0
    })
  } finally {
    await database.close()
  }
}

/** Names of backups take letters, digits, `_`, `-` and `.`, and no more than 255 of them. */
function defaultName(tableName: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const name = tableName.split('/').at(-1) ?? tableName
  return `${name.slice(0, 230)}-${time}`
}
