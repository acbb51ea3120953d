import { exportTable, Progress, type ExportFormat } from '@hashrange/transfer'
import { exportKeyFlags } from '../export-keys.ts'
import { counted } from './counted.ts'
import { resumable, printInterruption } from './interruption.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { openTarget } from './open-place.ts'
import { databaseFlags, databasePlace, readFlags, required, wholeNumber } from './read-flags.ts'

const help = `hashrange export: writes a table's items to files, in the format of DynamoDB's export to S3

  hashrange export --table Music --to ./exports --endpoint http://127.0.0.1:8000
  hashrange export --table Music --to s3://bucket/prefix --path .hashrange --format ion

  --table NAME        the table
  --to PLACE          a folder, or s3://bucket/prefix
  --endpoint PLACE    where the table is: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --format json       json (DynamoDB JSON) or ion
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables; by default the only one, or the shared one
  --s3-endpoint URL   the address of an S3-compatible server, if the bucket is not on AWS
  --export-key-file FILE
                      a file with the key that the export is encrypted with (HASHRANGE_EXPORT_KEY_FILE)
  --segments 4        how many segments of the table to read in parallel
  --state FILE        where to record progress

The files are written to AWSDynamoDB/<id>/data below the target, with their manifest beside them. hashrange import and
ImportTable can read them, here and on AWS. If an export is interrupted, run the same command again to continue it.
To export the table as it was at one point in time, use ExportTableToPointInTime.`

const flags = {
  table: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  's3-endpoint': { type: 'string' },
  ...exportKeyFlags,
  segments: { type: 'string' },
  state: { type: 'string' },
  ...databaseFlags,
} as const

export async function exportCommand(words: readonly string[]): Promise<number> {
  const values = readFlags('export', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const { region } = values
  const tableName = required('export', '--table', values.table)
  const place = required('export', '--to', values.to)
  const format = formatOf(values.format ?? 'json')
  const segments = wholeNumber('--segments', values.segments)
  const from = await openDatabase(databasePlace('export', values), { region, account: values.account })
  try {
    const target = await openTarget(place, {
      s3Endpoint: values['s3-endpoint'],
      region,
      keyFile: values['export-key-file'],
    })
    const statePath = values.state ?? `hashrange-export-${tableName}.json`
    const progress = new Progress(process.stderr)
    const done = await resumable(statePath, (signal) =>
      exportTable({ from, tableName, ...target, format, segments, statePath, progress, signal }),
    )
    if (!done.isComplete) return printInterruption(statePath)
    const below = place.endsWith('/') ? place : `${place}/`
    const inPlace = done.folder.slice(target.prefix.length)
    console.log(`Exported ${counted(done.items, 'item')} of ${tableName} to ${below}${inPlace}`)
    return 0
  } finally {
    await from.close()
  }
}

function formatOf(word: string): ExportFormat {
  if (word === 'json') return 'DYNAMODB_JSON'
  if (word === 'ion') return 'ION'
  throw new Mistake(`--format must be json or ion, not "${word}".`)
}
