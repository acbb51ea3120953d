import type { AnyModel } from '@hashrange/model'
import {
  dropIndexes,
  migrateTables,
  predecessorOf,
  prepareTables,
  verifyMigration,
  type MigrationProgress,
  type Upgrade,
  type Verified,
} from '@hashrange/model/migration'
import { counted } from './counted.ts'
import { interruptible } from './interruption.ts'
import { loadModel, loadUpgrade } from './load-model.ts'
import { Mistake } from '../mistake.ts'
import { openClient } from './model-client.ts'
import { printable } from '../printable.ts'
import { readWords, required, wholeNumber } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'
import { placeOfProfile, profileFlags } from './use-profile.ts'

const help = `hashrange migrate: migrates a table's items from one version of a model to the next, while the table is in use

  hashrange migrate shop.model.ts --endpoint http://127.0.0.1:8000 --dry-run
  hashrange migrate shop.model.ts --endpoint aws --rate 500
  hashrange migrate old.model.ts new.model.ts --endpoint aws --keep-old

  --endpoint PLACE    where the tables are: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --region REGION
  --profile NAME      an AWS profile, with SSO, roles or keys. Without --endpoint, its tables are on AWS
  --table NAME        the actual name of the table, if it is not the one in the model
  --rate UNITS        capacity units per second to use at most, reads and writes together; less while the service throttles
  --segments 4        parts of the table to work on at the same time
  --keep-old          keep the old form beside the new one, while some code still reads it
  --drop-indexes      afterwards, delete the indexes that the model no longer has
  --verify            only verify: nothing is written
  --dry-run           only print what would be done
  --state-key KEY     the partition key under which progress is kept; HASHRANGE#MIGRATION by default
  --json              print the result as JSON

With one file, the model names its predecessor (was). With two, the old one comes first; the new one may export upgrade, an
object with a function for each entity whose attributes change: export const upgrade = { Order: (old) => ({ … }) }. Tables
and indexes that are missing are created first. You can stop it at any time: the next run continues. Run it on several
machines to share the work. At the end, everything is read and compared. Run hashrange plan first: it says which code to
deploy when. Exit code: 0 if all items have the new form and nothing is wrong, 1 if not, 2 if the command was used wrongly,
130 if it was interrupted.`

const flags = {
  endpoint: { type: 'string' },
  region: { type: 'string' },
  table: { type: 'string' },
  rate: { type: 'string' },
  segments: { type: 'string' },
  'keep-old': { type: 'boolean' },
  'drop-indexes': { type: 'boolean' },
  verify: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  'state-key': { type: 'string' },
  json: { type: 'boolean' },
  ...profileFlags,
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

const mostShown = 20

interface Work {
  readonly old: Parameters<typeof migrateTables>[0]
  readonly fresh: AnyModel
  readonly upgrade: Readonly<Record<string, Upgrade>> | undefined
}

export async function migrate(words: readonly string[]): Promise<number> {
  const read = readWords('migrate', words, flags)
  if (read.values.help === true) {
    console.log(help)
    return 0
  }
  return interruptible((signal) => carryOut(read, signal))
}

type Words = ReturnType<typeof readWords<typeof flags>>

async function carryOut({ values, positionals }: Words, signal: AbortSignal): Promise<number> {
  const endpoint = required('migrate', '--endpoint', placeOfProfile(values.endpoint, values.profile))
  const unitsPerSecond = wholeNumber('--rate', values.rate)
  const segments = wholeNumber('--segments', values.segments)
  if (segments === 0) throw new Mistake('--segments must be at least 1.')
  const { old, fresh, upgrade } = await workOf(positionals)
  const client = openClient(endpoint, values.region)
  const isDry = values['dry-run'] === true
  const isQuiet = values.json === true
  const shared = {
    ...(values.table !== undefined && { tables: values.table }),
    unitsPerSecond,
    segments,
    upgrade,
    signal,
  }
  const tell = (line: string): void => {
    if (!isQuiet) console.log(isDry ? `Would ${line}.` : `${line.charAt(0).toUpperCase()}${line.slice(1)}.`)
  }
  try {
    let progress: MigrationProgress | undefined
    if (values.verify !== true) {
      const { description } = fresh
      await prepareTables(description, client, { ...shared, isDry, tell })
      progress = await migrateTables(old, fresh, client, {
        ...shared,
        isDry,
        keeps: values['keep-old'] === true ? 'both' : 'new',
        stateKey: values['state-key'],
        onProgress: isQuiet ? undefined : progressTeller(isDry),
      })
      if (!isQuiet) console.log(doneText(progress, isDry))
      if (values['drop-indexes'] === true) await dropIndexes(description, client, { ...shared, isDry, tell })
      if (isDry) {
        if (isQuiet) console.log(JSON.stringify({ progress }, null, 2))
        return 0
      }
    }
    return report(await verifyMigration(old, fresh, client, shared), progress, values)
  } catch (error) {
    if (!signal.aborted) throw error
    process.stderr.write('Stopped. To continue, run the same command again: progress is recorded in the table.\n')
    return 130
  } finally {
    client.destroy()
  }
}

async function workOf(files: readonly string[]): Promise<Work> {
  const [first, second, ...others] = files
  if (first === undefined || others.length > 0)
    throw new Mistake(
      'Name one model file that declares was, or two files, the old one first. See: hashrange migrate --help',
    )
  if (second !== undefined) {
    const [old, fresh] = [await loadModel(first), await loadModel(second)]
    return { old, fresh, upgrade: await loadUpgrade(second) }
  }
  const fresh = await loadModel(first)
  const old = predecessorOf(fresh)
  if (old === undefined)
    throw new Mistake(`${first} does not say what its entities were before (was). Name the old model file first.`)
  return { old, fresh, upgrade: await loadUpgrade(first) }
}

function report(
  verified: Verified,
  progress: MigrationProgress | undefined,
  values: { readonly json?: boolean | undefined; readonly 'keep-old'?: boolean | undefined },
): number {
  const left = Object.values(verified.left).reduce((sum, count) => sum + count, 0)
  const isDone = verified.faultCount === 0 && (left === 0 || values['keep-old'] === true)
  if (values.json === true) {
    console.log(JSON.stringify({ ...(progress && { progress }), verified }, null, 2))
    return isDone ? 0 : 1
  }
  const counts = Object.entries(verified.items).map(([name, count]) => `${count} ${name}`)
  console.log(
    `Verified: ${counts.join(', ') || 'no items'} in the new form, with their keys in the table and in all indexes, and ${verified.satellites} guards and index items.`,
  )
  for (const [name, count] of Object.entries(verified.left)) {
    const example = isDone ? undefined : verified.leftExamples.find(({ entity }) => entity === name)
    console.log(
      `Still in the old form: ${count} ${name}${example === undefined ? '' : `, such as ${keyText(example)}`}.`,
    )
  }
  for (const fault of verified.faults.slice(0, mostShown))
    console.log(`  ${fault.entity} ${keyText(fault)} ${fault.fault}`)
  if (verified.faultCount > mostShown)
    console.log(`  and ${verified.faultCount - mostShown} more (--json lists the first 1000)`)
  if (isDone && left === 0)
    console.log('Nothing is left in the old form. When no code writes it any more, remove was from the model.')
  else if (verified.faultCount > 0) console.log('Correct these items, or delete them, and run this again.')
  else if (!isDone) console.log('To go on, stop the code that writes the old form, and run this again.')
  return isDone ? 0 : 1
}

function keyText({ key }: { readonly key: Verified['leftExamples'][number]['key'] }): string {
  return Object.values(key)
    .map(({ S, N, B }) => printable(S ?? N ?? Buffer.from(B ?? []).toString('base64')))
    .join(' ')
}

/** A line now and then. */
function progressTeller(isDry: boolean): (progress: MigrationProgress) => void {
  let toldMs = performance.now()
  return (progress) => {
    if (performance.now() - toldMs < 1000) return
    toldMs = performance.now()
    const { waiting } = progress
    const elsewhere = waiting === 0 ? '' : `; waiting for ${counted(waiting, 'part')} that another worker has`
    process.stderr.write(`${countsText(progress, isDry)}${elsewhere}\n`)
  }
}

function doneText(progress: MigrationProgress, isDry: boolean): string {
  const { strange, taken, isResumed, throttles } = progress
  return [
    `${isResumed ? 'Continued: ' : ''}${countsText(progress, isDry)}.`,
    ...(throttles > 0
      ? [`The service throttled ${counted(throttles, 'request')}; the rate was lowered each time.`]
      : []),
    ...(strange > 0
      ? [
          `${counted(strange, 'item')} that no model describes, or that ${strange === 1 ? 'lacks' : 'lack'} something, ${strange === 1 ? 'was' : 'were'} left alone.`,
        ]
      : []),
    ...(taken > 0
      ? [`${counted(taken, 'item')} could not get a unique value, because another item has it. Change one of them.`]
      : []),
  ].join('\n')
}

function countsText({ items, written, readUnits, writeUnits }: MigrationProgress, isDry: boolean): string {
  return `${counted(items, 'item')} read, ${written} ${isDry ? 'to be written' : 'written'}, ${Math.round(readUnits)} read and ${Math.round(writeUnits)} write units`
}
