import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import {
  rebuildDerived,
  verifyDerived,
  type Derived,
  type Difference,
  type RebuildProgress,
} from '@hashrange/model/derived'
import { counted } from './counted.ts'
import { interruptible } from './interruption.ts'
import { loadDerived } from './load-model.ts'
import { Mistake } from '../mistake.ts'
import { openClient } from './model-client.ts'
import { readWords, required, wholeNumber } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'
import { placeOfProfile, profileFlags } from './use-profile.ts'

const help = `hashrange derive: rebuilds or verifies a model's derived items

  hashrange derive shop.model.ts --verify --endpoint http://127.0.0.1:8000
  hashrange derive shop.model.ts --rebuild --endpoint aws --rate 200

  --rebuild           compute all derived items again, while the table is in use and the handler runs. You can stop it at any
                      time: the next run continues
  --verify            compare all derived items with what they should be, and list the differences; nothing is changed
  --endpoint PLACE    where the table is: the address of a server, or aws
  --ca FILE           the issuer of the server's certificate, if this machine does not know it (PEM)
  --region REGION
  --profile NAME      an AWS profile, with SSO, roles or keys. Without --endpoint, its tables are on AWS
  --table NAME        the actual name of the table, if it is not the one in the model
  --rate UNITS        capacity units per second to use at most, reads and writes together; no limit by default
  --json              print the result as JSON

The file exports the result of derive(model, …). With both flags, it is rebuilt first. Exit code: 0 if everything is right, 1 if
there are differences, 2 if the command was used wrongly.`

const flags = {
  rebuild: { type: 'boolean' },
  verify: { type: 'boolean' },
  endpoint: { type: 'string' },
  region: { type: 'string' },
  table: { type: 'string' },
  rate: { type: 'string' },
  json: { type: 'boolean' },
  ...profileFlags,
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

/** What differs is compared again after this time, because the handler may be behind. */
const recheckAfterMs = 2000
const mostShown = 50

export async function derive(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('derive', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0)
    throw new Mistake('Name one model file. See: hashrange derive --help')
  if (values.rebuild !== true && values.verify !== true)
    throw new Mistake('Say what to do: --rebuild or --verify. See: hashrange derive --help')
  const endpoint = required('derive', '--endpoint', placeOfProfile(values.endpoint, values.profile))
  const unitsPerSecond = wholeNumber('--rate', values.rate)
  const [derived, ...more] = await loadDerived(file)
  if (derived === undefined)
    throw new Mistake(`${file} derives nothing. Export the result of derive(model, { … }).`)
  if (more.length > 0)
    throw new Mistake(`${file} exports several results of derive(). Put them in files of their own.`)
  const client = openClient(endpoint, values.region)
  const shared = { unitsPerSecond, ...(values.table !== undefined && { tables: values.table }) }
  try {
    let rebuilt: RebuildProgress | undefined
    if (values.rebuild === true) {
      rebuilt = await rebuild(derived, client, { ...shared, isQuiet: values.json === true })
      if (rebuilt === undefined) return 130
    }
    if (values.verify !== true) {
      if (values.json === true) console.log(JSON.stringify({ rebuilt }, null, 2))
      return 0
    }
    const verified = await verifyDerived(derived, client, { ...shared, recheckAfterMs })
    if (values.json === true) console.log(JSON.stringify({ ...(rebuilt && { rebuilt }), verified }, null, 2))
    else printDifferences(verified.compared, verified.differences)
    return verified.differences.length === 0 ? 0 : 1
  } finally {
    client.destroy()
  }
}

/** Undefined if it was interrupted. */
async function rebuild(
  derived: Derived,
  client: DynamoDB,
  options: {
    readonly unitsPerSecond: number | undefined
    readonly tables?: string
    readonly isQuiet: boolean
  },
): Promise<RebuildProgress | undefined> {
  const { isQuiet, ...rest } = options
  let told = performance.now()
  const onProgress = (progress: RebuildProgress): void => {
    if (isQuiet || performance.now() - told < 1000) return
    told = performance.now()
    process.stderr.write(`${progressText(progress)}\n`)
  }
  const done = await interruptible((signal) =>
    rebuildDerived(derived, client, { ...rest, onProgress, signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
      process.stderr.write('Stopped. To continue, run the same command again: progress is recorded in the table.\n')
      return undefined
    }),
  )
  if (done !== undefined && !isQuiet) {
    console.log(
      `${done.isResumed ? 'Continued and rebuilt' : 'Rebuilt'}: ${counted(done.items, 'item')} read, ${counted(done.written, 'item')} written, ${units(done)}.`,
    )
  }
  return done
}

function progressText(progress: RebuildProgress): string {
  return `${progress.step}: ${counted(progress.items, 'item')} read, ${units(progress)}`
}

function units({ readUnits, writeUnits }: RebuildProgress): string {
  return `${Math.round(readUnits)} read and ${Math.round(writeUnits)} write units`
}

function printDifferences(compared: number, differences: readonly Difference[]): void {
  console.log(`${counted(compared, 'item')} compared, ${counted(differences.length, 'difference')}.`)
  for (const { derivation, key, attribute, expected, found } of differences.slice(0, mostShown)) {
    const place = Object.values(key).map((value) => value.S ?? value.N ?? '')
    console.log(
      `  ${derivation}: ${place.join(' ')}${attribute === undefined ? '' : ` ${attribute}`} is ${found}, not ${expected}`,
    )
  }
  if (differences.length > mostShown) console.log(`  and ${differences.length - mostShown} more (--json lists all)`)
  if (differences.length > 0) console.log('To correct them, run it with --rebuild.')
}
