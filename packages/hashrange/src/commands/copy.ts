import { createHash } from 'node:crypto'
import { copyTables, Progress } from '@hashrange/transfer'
import { readKeyFile } from '../encryption-key.ts'
import { copyStores, storesToCopy } from './copy-stores.ts'
import { counted } from './counted.ts'
import { resumable, printInterruption } from './interruption.ts'
import { Mistake } from '../mistake.ts'
import { openDatabase } from './open-database.ts'
import { readFlags, required, wholeNumber } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange copy: copies tables from one DynamoDB database to another

  hashrange copy --from aws --to lmdb:.hashrange --table Music --table Orders
  hashrange copy --from http://127.0.0.1:8000 --to http://127.0.0.1:8001
  hashrange copy --from lmdb:.hashrange --to postgres://user@host/database

  --from PLACE        aws, the address of any server with the DynamoDB API, lmdb: followed by a data folder, or the
                      URL of a PostgreSQL database
  --to PLACE          the same choices
  --ca FILE           the issuer of a server's certificate, if this machine does not know it (PEM)
  --to-encryption-key-file FILE
                      copy everything as it is, and encrypt the copy with this key; none: do not encrypt it. The key of the source
                      is in HASHRANGE_ENCRYPTION_KEY or HASHRANGE_ENCRYPTION_KEY_FILE
  --table NAME        a table to copy; repeat it for several tables; by default all tables are copied
  --from-region, --to-region REGION
  --from-account, --to-account DIGITS
                      in a data folder: the account that owns the tables; by default the only one, or the shared one
  --segments 8        how many segments of a table to read in parallel
  --state FILE        where to record progress

If you copy a data folder to PostgreSQL or back, and name no table, region or account, everything is copied as it is (with
backups, and streams with their records) to an empty target, and compared at the end. Servers may use a PostgreSQL database
while you copy it: then stop them, and run the same command once more to copy what has changed.

Otherwise, missing tables are created with the same keys, indexes, throughput and time to live. Existing items are
replaced. A data folder must not be in use by a server. AWS credentials are taken from where the AWS SDK looks for them. If
a copy is interrupted, run the same command again to continue it.`

const flags = {
  from: { type: 'string' },
  to: { type: 'string' },
  table: { type: 'string', multiple: true },
  'from-region': { type: 'string' },
  'to-region': { type: 'string' },
  'from-account': { type: 'string' },
  'to-account': { type: 'string' },
  segments: { type: 'string' },
  state: { type: 'string' },
  'to-encryption-key-file': { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function copy(words: readonly string[]): Promise<number> {
  const values = readFlags('copy', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const fromPlace = required('copy', '--from', values.from)
  const toPlace = required('copy', '--to', values.to)
  const newKey = keyOfCopy(values['to-encryption-key-file'])
  if (newKey !== undefined && hasChoices(values)) {
    throw new Mistake(
      'With --to-encryption-key-file, everything is copied. Leave out the flags that select a part of it.',
    )
  }
  const stores = hasChoices(values) ? undefined : storesToCopy(fromPlace, toPlace, newKey)
  if (stores !== undefined) return copyStores(stores.from, stores.to)
  const segments = wholeNumber('--segments', values.segments)
  const from = await openDatabase(fromPlace, {
    region: values['from-region'],
    account: values['from-account'],
  })
  try {
    const to = await openDatabase(toPlace, {
      region: values['to-region'],
      account: values['to-account'],
      mayBeNew: true,
    })
    try {
      const transfer = createHash('sha256').update(`${from.name}\n${to.name}`).digest('hex').slice(0, 8)
      const statePath = values.state ?? `hashrange-copy-${transfer}.json`
      const progress = new Progress(process.stderr)
      const done = await resumable(statePath, (signal) =>
        copyTables({ from, to, tables: values.table, segments, statePath, progress, signal }),
      )
      if (!done.isComplete) return printInterruption(statePath)
      console.log(
        `Copied ${counted(done.items, 'item')} in ${counted(done.tables, 'table')} from ${from.name} to ${to.name}.`,
      )
      return 0
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

function keyOfCopy(file: string | undefined): Buffer | 'none' | undefined {
  if (file === undefined || file === 'none') return file
  const read = readKeyFile(file, '--to-encryption-key-file')
  if ('mistake' in read) throw new Mistake(read.mistake)
  return read.key
}

/** What only applies to tables. */
function hasChoices(values: Readonly<Record<string, unknown>>): boolean {
  return ['table', 'from-region', 'to-region', 'from-account', 'to-account', 'state'].some(
    (name) => values[name] !== undefined,
  )
}
