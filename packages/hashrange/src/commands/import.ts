import { createWriteStream, existsSync, type WriteStream } from 'node:fs'
import { ensureTable, importItems, Progress, type DatabasePort, type ImportFormat } from '@hashrange/transfer'
import { otherTables } from './backup-advice.ts'
import { exportKeyFlags } from '../export-keys.ts'
import { counted } from './counted.ts'
import { resumable, printInterruption } from './interruption.ts'
import { exportedTable, keyedTable } from './exported-table.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { openSource } from './open-place.ts'
import { databaseFlags, databasePlace, readFlags, required } from './read-flags.ts'

const help = `hashrange import: loads items from files into a table

  hashrange import --table Music --from ./exports --endpoint http://127.0.0.1:8000
  hashrange import --table Songs --from songs.csv --key artist:S,year:N --path .hashrange

  --table NAME        the table
  --from PLACE        a file, a folder (such as an export), or s3://bucket/prefix
  --endpoint PLACE    where the table is: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER       or a data folder that no server is using
  --format FORMAT     json (DynamoDB JSON, one item per line: {"Item": {"artist": {"S": "Ishome"}}}), ion or csv. By
                      default it is taken from the file names, or json. Files whose names end in .gz or .zst are
                      decompressed
  --key NAME:TYPE[,NAME:TYPE]
                      the key of the table, if it has to be created. Not needed for what hashrange export wrote
  --delimiter ,       the CSV delimiter
  --header a,b,c      the CSV column names; by default the first line of each file
  --region REGION
  --account DIGITS    in a data folder: the account that owns the tables; by default the only one, or the shared one
  --s3-endpoint URL   the address of an S3-compatible server, if the bucket is not on AWS
  --export-key-file FILE
                      a file with the key that the export was encrypted with (HASHRANGE_EXPORT_KEY_FILE)
  --errors FILE       where to list rows that are not valid items; hashrange-import-errors.txt by default
  --state FILE        where to record progress

Existing items are replaced. Rows that are not valid items are listed, and all others are imported. If an import is
interrupted, run the same command again to continue it. The fastest way to fill a new table is ImportTable.`

const flags = {
  table: { type: 'string' },
  from: { type: 'string' },
  format: { type: 'string' },
  key: { type: 'string' },
  delimiter: { type: 'string' },
  header: { type: 'string' },
  's3-endpoint': { type: 'string' },
  ...exportKeyFlags,
  errors: { type: 'string' },
  state: { type: 'string' },
  ...databaseFlags,
} as const

export async function importCommand(words: readonly string[]): Promise<number> {
  const values = readFlags('import', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const { region } = values
  const tableName = required('import', '--table', values.table)
  const format = values.format === undefined ? undefined : formatOf(values.format)
  const source = await openSource(required('import', '--from', values.from), {
    s3Endpoint: values['s3-endpoint'],
    region,
    keyFile: values['export-key-file'],
  })
  const blueprint =
    values.key === undefined ? await exportedTable(source, tableName) : keyedTable(tableName, values.key)
  const errorsPath = values.errors ?? 'hashrange-import-errors.txt'
  const statePath = values.state ?? `hashrange-import-${tableName}.json`
  // A continued import adds to the list that it started.
  const badRows = new BadRows(errorsPath, existsSync(statePath) ? 'a' : 'w')
  const to = await openDatabase(databasePlace('import', values), {
    region,
    account: values.account,
    mayBeNew: true,
  })
  try {
    if (blueprint === undefined) await requireTable(to, tableName)
    else await ensureTable(to, blueprint)
    const done = await resumable(statePath, (signal) =>
      importItems({
        to,
        tableName,
        ...source,
        format,
        csv: { delimiter: values.delimiter, header: values.header?.split(',') },
        statePath,
        progress: new Progress(process.stderr),
        signal,
        badRow: (key, line, reason) => badRows.add(`${key}, line ${line}: ${reason}`),
      }),
    )
    if (!done.isComplete) return printInterruption(statePath)
    console.log(`Imported ${counted(done.items, 'item')} into ${tableName} in ${to.name}.`)
    if (done.errors === 0) return 0
    console.error(`hashrange: ${explainBadRows(done, badRows, errorsPath)}`)
    return 1
  } finally {
    await badRows.close()
    await to.close()
  }
}

/** What is wrong with the first row is usually wrong with all. */
function explainBadRows(done: { items: number; errors: number }, { first }: BadRows, path: string): string {
  const [what, were] =
    done.errors === 1 ? ['1 row is not a valid item', 'was'] : [`${done.errors} rows are not valid items`, 'were']
  const doubt = done.items === 0 ? ' Is the --format correct?' : ''
  return `${what} for the table and ${were} skipped. See ${path}.${first === undefined ? '' : ` The first: ${first}.`}${doubt}`
}

async function requireTable(port: DatabasePort, TableName: string): Promise<void> {
  try {
    await port.request('DescribeTable', { TableName })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('not found')) throw error
    throw new Mistake(
      `There is no table ${TableName} in ${port.name}. To create it, name its key, such as --key artist:S,year:N. ${otherTables}`,
      { cause: error },
    )
  }
}

class BadRows {
  readonly #path: string
  readonly #flags: 'a' | 'w'
  #stream: WriteStream | undefined
  first: string | undefined

  constructor(path: string, flags: 'a' | 'w') {
    this.#path = path
    this.#flags = flags
  }

  add(text: string): void {
    this.first ??= text
    this.#stream ??= createWriteStream(this.#path, { flags: this.#flags })
    this.#stream.write(`${text}\n`)
  }

  async close(): Promise<void> {
    const stream = this.#stream
    if (stream !== undefined) await new Promise<void>((resolve) => stream.end(resolve))
  }
}

function formatOf(word: string): ImportFormat {
  switch (word) {
    case 'json':
      return 'DYNAMODB_JSON'
    case 'ion':
      return 'ION'
    case 'csv':
      return 'CSV'
    default:
      throw new Mistake(`--format must be json, ion or csv, not "${word}".`)
  }
}
