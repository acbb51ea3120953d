import {
  comparisonText,
  compareCosts,
  costModel,
  costText,
  findPrices,
  knownRegions,
  newerPrices,
  usualPriceDate,
  type ModelCost,
  type PriceSheet,
} from '@hashrange/model/cost'
import { loadModel } from '../load-model.ts'
import { costOfRecorded } from './cost-recorded.ts'
import { openTrial } from './open-trial.ts'
import { Mistake } from './mistake.ts'
import { readWords, wholeNumber } from './read-flags.ts'

const help = `hashrange cost: what a model, or the traffic of a server, costs a month on AWS

  hashrange cost shop.model.ts
  hashrange cost before.model.ts --compare shop.model.ts
  hashrange cost --recorded --endpoint http://127.0.0.1:8000

  --compare FILE     the difference that a changed model makes
  --region REGION    ${knownRegions().join(', ')}
  --prices DATE      the prices that were in force on that day, such as 2024-11-01; ${usualPriceDate} by default
  --utilisation 70   per cent of provisioned capacity that is meant to be used
  --json             for programs
  --recorded         of what a server was asked for in the last hour, as if it went on for a month: on demand,
                     provisioned, and with auto scaling, which is followed minute by minute
  --endpoint URL     the server; http://127.0.0.1:8000 by default
  --path FOLDER      or a folder of data that no server uses
  --hours 1          how far back, up to 24
  --table NAME       one table, and its indexes
  --seed 1           another number gives other data

Units are measured by running every pattern on generated data; rates, peaks and numbers of items are those that the model
declares. Indexes are part of every figure. Free tiers, reserved capacity, streams and transfer are not.`

const flags = {
  compare: { type: 'string' },
  region: { type: 'string' },
  prices: { type: 'string' },
  utilisation: { type: 'string' },
  json: { type: 'boolean' },
  recorded: { type: 'boolean' },
  endpoint: { type: 'string' },
  path: { type: 'string' },
  hours: { type: 'string' },
  table: { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export async function cost(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('cost', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [file, ...others] = positionals
  const prices = pricesOf(values.region ?? 'us-east-1', values.prices)
  const seed = wholeNumber('--seed', values.seed)
  const utilisation = wholeNumber('--utilisation', values.utilisation)
  if (utilisation !== undefined && (utilisation < 20 || utilisation > 90)) {
    throw new Mistake('--utilisation is from 20 to 90 per cent, as auto scaling has it.')
  }
  if (values.recorded === true) {
    if (file !== undefined) throw new Mistake('--recorded is about a server and needs no model file.')
    const target = utilisation === undefined ? undefined : utilisation / 100
    const exitCode = await costOfRecorded(values, prices, target)
    if (values.json !== true) console.log(newerHint(prices).trimStart())
    return exitCode
  }
  if (file === undefined || others.length > 0) {
    throw new Mistake('Name one model file. For the traffic of a server: --recorded. See: hashrange cost --help')
  }
  const costOfFile = async (path: string): Promise<ModelCost> =>
    costModel(await loadModel(path), {
      open: openTrial,
      seed,
      prices,
      ...(utilisation !== undefined && { targetUtilisation: utilisation / 100 }),
    })
  const before = await costOfFile(file)
  if (values.compare === undefined) {
    console.log(values.json === true ? JSON.stringify(before, null, 2) : `${costText(before)}${newerHint(prices)}`)
    return 0
  }
  const after = await costOfFile(values.compare)
  const comparison = compareCosts(before, after)
  console.log(
    values.json === true ? JSON.stringify({ before, after, comparison }, null, 2) : comparisonText(comparison),
  )
  return 0
}

function pricesOf(region: string, date: string | undefined): PriceSheet {
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date))
    throw new Mistake(`--prices is a day such as 2024-11-01, not "${date}".`)
  const prices = findPrices(region, date)
  if (prices !== undefined) return prices
  if (!knownRegions().includes(region)) {
    throw new Mistake(`There are no prices for the region "${region}". There are: ${knownRegions().join(', ')}.`)
  }
  throw new Mistake(`There are no prices for ${region} on ${date}.`)
}

function newerHint(prices: PriceSheet): string {
  const newer = newerPrices(prices)
  return newer === undefined ? '' : `\nThere are newer prices: --prices ${newer.effectiveFrom}`
}
