import { createHash } from 'node:crypto'
import { copyTables, Progress } from '@hashrange/transfer'
import { copyStores, storesToCopy } from './copy-stores.ts'
import { counted } from './counted.ts'
import { onInterruption, resumable, tellOfInterruption } from './interruption.ts'
import { openDatabase } from './open-database.ts'
import { readFlags, required, wholeNumber } from './read-flags.ts'

const help = `hashrange copy: copies tables from one DynamoDB database to another

  hashrange copy --from aws --to lmdb:.hashrange --table Music --table Orders
  hashrange copy --from http://127.0.0.1:8000 --to http://127.0.0.1:8001
  hashrange copy --from lmdb:.hashrange --to postgres://user@host/database

  --from PLACE        aws, the address of any server that speaks DynamoDB's API, lmdb: and a folder of data, or the
                      URL of a PostgreSQL
  --to PLACE          likewise
  --table NAME        a table to copy, as often as wanted; without any, all of them
  --from-region, --to-region REGION
  --from-account, --to-account DIGITS
                      whose tables, in a folder of data; by default the only ones there, or the shared ones
  --segments 8        how many parts of a table are read side by side
  --state FILE        where to note how far the copy has come

From a folder to a PostgreSQL or back, with no table, region or account named, everything is copied as it is (backups,
streams and their past too) to an empty place, and compared at the end; servers must not write to the source meanwhile.

Otherwise, tables that are missing are made with the same keys, indexes, throughput and time to live. Items that are there are
replaced. A folder of data must not be in use by a server. Credentials for AWS come from where the AWS SDK looks for
them. A copy that was stopped goes on where it was when the same command is run again.`

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
  const stores = hasChoices(values) ? undefined : storesToCopy(fromPlace, toPlace)
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
      const signal = onInterruption()
      const done = await resumable(statePath, () =>
        copyTables({ from, to, tables: values.table, segments, statePath, progress, signal }),
      )
      if (!done.isComplete) return tellOfInterruption(statePath)
      console.log(
        `Copied ${counted(done.items, 'item')} of ${counted(done.tables, 'table')} from ${from.name} to ${to.name}.`,
      )
      return 0
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** What can only be said of tables. */
function hasChoices(values: Readonly<Record<string, unknown>>): boolean {
  return ['table', 'from-region', 'to-region', 'from-account', 'to-account', 'state'].some(
    (name) => values[name] !== undefined,
  )
}
