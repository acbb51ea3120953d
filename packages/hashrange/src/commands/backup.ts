import { sizeText } from '@hashrange/transfer'
import { withAdvice } from './backup-advice.ts'
import { followWork } from './backup-progress.ts'
import { counted } from './counted.ts'
import { openDatabase } from './open-database.ts'
import { databasePlace, readFlags, required } from './read-flags.ts'

const help = `hashrange backup: keeps a table's items as they are now

  hashrange backup --table Music --endpoint http://127.0.0.1:8000
  hashrange backup --table Music --name before-the-migration --path .hashrange

  --table NAME        the table
  --name NAME         what to call the backup; by default the table and the time
  --endpoint PLACE    where the table is: the address of a server, or aws
  --path FOLDER       or a folder of data, which no server may be using
  --region REGION
  --account DIGITS    whose tables, in a folder of data; by default the only ones there, or the shared ones

The backup holds the moment at which it was asked for; the table can be written meanwhile. It is the database that takes
it: Ctrl+C stops watching, and a server goes on. hashrange backups lists backups, hashrange restore makes a table of one.`

const flags = {
  table: { type: 'string' },
  name: { type: 'string' },
  endpoint: { type: 'string' },
  path: { type: 'string' },
  region: { type: 'string' },
  account: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
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
          ? `It is taken when a server, or this command, next opens ${values.path}, and then holds what the table holds then.`
          : 'It goes on without this command: hashrange backups shows when it is AVAILABLE.',
      })
      if (outcome === undefined) return 130
      const { items, bytes } = outcome
      console.log(
        `Backed up ${counted(items, 'item')} (${sizeText(bytes)}) of ${TableName} of ${database.name}: ${BackupArn}`,
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
