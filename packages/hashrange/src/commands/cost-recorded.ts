import { StorageError, trafficReport, type TrafficReport } from '@hashrange/engine'
import { costRecorded, recordedText, type PriceSheet } from '@hashrange/model/cost'
import { openEngine } from '../open-engine.ts'
import { explainStorage } from './explain-storage.ts'
import { withKey } from './key-of-data.ts'
import { Mistake } from '../mistake.ts'
import { readEndpoint, readReport } from './read-report.ts'
import { requireData } from './require-data.ts'

export interface RecordedCostFlags {
  readonly endpoint?: string | undefined
  readonly path?: string | undefined
  readonly hours?: string | undefined
  readonly table?: string | undefined
  readonly json?: boolean | undefined
}

const mostHours = 24

/** `hashrange cost --recorded`: what the traffic of the last hours would cost per month. */
export async function costOfRecorded(
  flags: RecordedCostFlags,
  prices: PriceSheet,
  targetUtilisation: number | undefined,
): Promise<number> {
  const minutes = readHours(flags.hours) * 60
  const traffic = withTable(await readTraffic(flags, minutes), flags.table)
  const cost = costRecorded(traffic, { prices, targetUtilisation })
  if (flags.json === true) console.log(JSON.stringify(cost, null, 2))
  else console.log(recordedText(cost) + leftOutText(traffic))
  return 0
}

async function readTraffic({ endpoint, path }: RecordedCostFlags, minutes: number): Promise<TrafficReport> {
  if (endpoint !== undefined && path !== undefined) {
    throw new Mistake('--endpoint and --path both name a place. Use only one of them.')
  }
  if (path === undefined) return readReport(readEndpoint(endpoint), 'traffic', { minutes: `${minutes}` })
  requireData({ kind: 'lmdb', path })
  // A report changes nothing: unfinished work in the folder is left to a server.
  const opened = openEngine(withKey({ kind: 'lmdb', path }), { worksInBackground: false })
  const { engine } = await opened.catch((error: unknown) => {
    throw error instanceof StorageError ? new Error(explainStorage(error), { cause: error }) : error
  })
  try {
    return await trafficReport(engine, { minutes })
  } finally {
    await engine.close()
  }
}

function readHours(text: string | undefined): number {
  if (text === undefined) return 1
  if (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= mostHours) return Number(text)
  throw new Mistake(`--hours must be a whole number from 1 to ${mostHours}, not "${text}".`)
}

function withTable(traffic: TrafficReport, name: string | undefined): TrafficReport {
  if (name === undefined) return traffic
  const tables = traffic.tables.filter(({ tableName }) => tableName === name)
  if (tables.length > 0) return { ...traffic, tables }
  const known = traffic.tables.map(({ tableName }) => tableName)
  throw new Mistake(
    `There is no table "${name}". ${known.length === 0 ? 'There are no tables' : `The tables are: ${known.slice(0, 10).join(', ')}`}.`,
  )
}

function leftOutText({ leftOut }: TrafficReport): string {
  return leftOut === 0 ? '' : `\n${leftOut} more tables are not shown. To see one, use --table.`
}
