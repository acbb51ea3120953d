import { readFile } from 'node:fs/promises'
import {
  comparisonText,
  compareCosts,
  costModel,
  costText,
  priceListAddress,
  priceWarning,
  isPriceList,
  readPriceList,
  readPriceSheet,
  replicaPrices,
  type ModelCost,
  type PriceSheet,
  type PriceWarning,
} from '@hashrange/model/cost'
import { loadModel } from './load-model.ts'
import { costOfRecorded } from './cost-recorded.ts'
import { openTrial } from './open-trial.ts'
import { pricesOfRegion } from './prices-of-region.ts'
import { Mistake } from '../mistake.ts'
import { parseJson } from '../parse-json.ts'
import { readWords, wholeNumber } from './read-flags.ts'
import { serverFlags } from './trust-issuer.ts'

const help = `hashrange cost: estimates what a model, or a server's traffic, costs per month on AWS

  hashrange cost shop.model.ts
  hashrange cost before.model.ts --compare shop.model.ts
  hashrange cost --recorded --endpoint http://127.0.0.1:8000

  --compare FILE     show the difference to this changed model
  --region REGION    any commercial region; us-east-1 by default
  --prices DATE      use the prices in force on that day, such as 2024-11-01; today's by default
  --prices FILE      or the price list that AWS publishes for any region, or your own prices, as JSON (see docs/capacity.md)
  --backups N        include N on-demand backups of each table that are kept
  --exports N        include N full exports of each table to S3 per month
  --stream-reads N   include N calls of GetRecords per second on streams; those of Lambda and of global tables are free
  --utilisation 70   the target utilization of provisioned capacity, in per cent
  --json             print JSON
  --recorded         use the requests that a server received in the last hour, as if they went on for a month: on demand,
                     provisioned, and with auto scaling, simulated minute by minute
  --endpoint URL     the server; http://127.0.0.1:8000 unless HASHRANGE_ENDPOINT is set
  --ca FILE          the issuer of the server's certificate, if this machine does not know it (PEM)
  --path FOLDER      or a data folder that no server is using
  --hours 1          how many hours to look back, up to 24
  --table NAME       only this table and its indexes
  --seed 1           seed of the generated data; another number gives other data

Capacity units are measured by running every pattern on generated data. Rates, peaks and item counts are the ones that the
model declares. Every figure includes indexes, and replicas of global tables have lines of their own. If reserved capacity saves
money, the last lines say how much. Free tiers and data transfer are not included.`

const flags = {
  compare: { type: 'string' },
  region: { type: 'string' },
  prices: { type: 'string' },
  backups: { type: 'string' },
  exports: { type: 'string' },
  'stream-reads': { type: 'string' },
  utilisation: { type: 'string' },
  json: { type: 'boolean' },
  recorded: { type: 'boolean' },
  endpoint: { type: 'string' },
  path: { type: 'string' },
  hours: { type: 'string' },
  table: { type: 'string' },
  seed: { type: 'string' },
  ...serverFlags,
  help: { type: 'boolean', short: 'h' },
} as const

export async function cost(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords('cost', words, flags)
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const [file, ...others] = positionals
  const prices = await pricesOf(values.region, values.prices)
  const seed = wholeNumber('--seed', values.seed)
  const utilisation = wholeNumber('--utilisation', values.utilisation)
  if (utilisation !== undefined && (utilisation < 20 || utilisation > 90)) {
    throw new Mistake('--utilisation must be from 20 to 90 per cent, as in auto scaling.')
  }
  if (values.recorded === true) {
    if (file !== undefined) throw new Mistake('--recorded reads the traffic of a server and takes no model file.')
    if ([values.backups, values.exports, values['stream-reads']].some((each) => each !== undefined)) {
      throw new Mistake(
        '--backups, --exports and --stream-reads are for model files. Leave them out with --recorded.',
      )
    }
    const target = utilisation === undefined ? undefined : utilisation / 100
    const exitCode = await costOfRecorded(values, prices, target)
    warnOf(prices, values.json)
    return exitCode
  }
  if (file === undefined || others.length > 0) {
    throw new Mistake(
      'Name one model file, or use --recorded for the traffic of a server. See: hashrange cost --help',
    )
  }
  const extras = {
    backups: wholeNumber('--backups', values.backups),
    exports: wholeNumber('--exports', values.exports),
    streamReads: wholeNumber('--stream-reads', values['stream-reads']),
  }
  if (prices.features === undefined && Object.values(extras).some((each) => each !== undefined)) {
    throw new Mistake(
      `The prices of ${prices.region} do not include backups, exports and streams. Add "features" to the file: see docs/capacity.md.`,
    )
  }
  const replicas: PriceSheet[] = []
  const costOfFile = async (path: string): Promise<ModelCost> => {
    const model = await loadModel(path)
    replicas.push(...model.description.tables.flatMap((table) => replicaPrices(table, prices)))
    return costModel(model, {
      open: openTrial,
      seed,
      prices,
      extras,
      ...(utilisation !== undefined && { targetUtilisation: utilisation / 100 }),
    })
  }
  const before = await costOfFile(file)
  if (values.compare === undefined) {
    console.log(values.json === true ? JSON.stringify(before, null, 2) : costText(before))
    warnOf(prices, values.json, replicas)
    return 0
  }
  const after = await costOfFile(values.compare)
  const comparison = compareCosts(before, after)
  console.log(
    values.json === true ? JSON.stringify({ before, after, comparison }, null, 2) : comparisonText(comparison),
  )
  warnOf(prices, values.json, replicas)
  return 0
}

async function pricesOf(region: string | undefined, given: string | undefined): Promise<PriceSheet> {
  const isDate = given === undefined || /^\d{4}-\d\d-\d\d$/.test(given)
  if (!isDate) return pricesIn(given, region)
  return pricesOfRegion(region ?? 'us-east-1', {
    date: given,
    advice: ' For others, use the price list that AWS publishes: see --prices FILE in docs/capacity.md.',
  })
}

async function pricesIn(file: string, region: string | undefined): Promise<PriceSheet> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw new Mistake(
      `--prices must be a date such as 2024-11-01 or a JSON file with prices. "${file}" is neither.`,
    )
  }
  let document: unknown
  try {
    document = parseJson(text)
  } catch (error) {
    throw new Mistake(
      `The price sheet ${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const sheet = readSheet(document, region)
  if (region !== undefined && region !== sheet.region)
    throw new Mistake(`The price sheet ${file} is for ${sheet.region}, not for ${region}.`)
  return sheet
}

function readSheet(document: unknown, region: string | undefined): PriceSheet {
  try {
    return isPriceList(document) ? readPriceList(document, region) : readPriceSheet(document)
  } catch (error) {
    throw new Mistake(error instanceof Error ? error.message : String(error))
  }
}

/** On standard error if standard output is JSON. Prices from a file are those of one region, so they do not help replicas. */
function warnOf(prices: PriceSheet, json: boolean | undefined, replicas: readonly PriceSheet[] = []): void {
  const own = priceWarning(prices)
  const ofReplicas = new Set(replicas.map((sheet) => priceWarning(sheet)?.text))
  const texts = [
    own && `${own.text} ${adviceFor(own, prices.region)}`,
    ...[...ofReplicas].filter((text) => text !== own?.text),
  ]
  for (const text of texts) {
    if (text === undefined) continue
    if (json === true) console.error(text)
    else console.log(text)
  }
}

function adviceFor({ kind }: PriceWarning, region: string): string {
  switch (kind) {
    case 'ended':
      return 'To use the present ones, leave out --prices.'
    case 'neighbour':
    case 'estimated':
    case 'old':
      return `For exact prices, download ${priceListAddress(region)} and use --prices FILE.`
  }
}
