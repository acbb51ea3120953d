import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Anomaly } from './checker/anomaly.ts'
import { checkEpoch } from './checker/check-epoch.ts'
import { loadEpoch, saveEpoch } from './epoch-file.ts'
import { HistoryRun, type Epoch } from './history-run.ts'
import { runRegions } from './regions/run-regions.ts'
import { helpText, OptionError, readOptions, type Options } from './options.ts'
import { startOnCitus, startOnLmdb, startOnPostgres, type ServerGroup } from './servers/server-group.ts'
import { Totals } from './totals.ts'

const progressEveryMs = 30_000

try {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) console.log(helpText)
  // Clients of a run that failed may still wait for an answer.
  else process.exit(options.checkFile === undefined ? await run(options) : check(options.checkFile))
} catch (error) {
  if (!(error instanceof OptionError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

function check(file: string): number {
  const history = loadEpoch(file)
  const anomalies = checkEpoch(history)
  tell(anomalies)
  console.log(
    `${history.transactions.length} transactions and ${history.operations.length} operations were checked.`,
  )
  return anomalies.length === 0 ? 0 : 1
}

function start({ store, servers }: Options): Promise<ServerGroup> {
  if (store === 'lmdb') return startOnLmdb()
  if (store === 'postgres') return startOnPostgres(servers)
  const url = process.env['HASHRANGE_CITUS_URL']
  if (url === undefined) throw new OptionError('--store citus needs HASHRANGE_CITUS_URL, the URL of a coordinator.')
  return startOnCitus(url, servers)
}

async function run(options: Options): Promise<number> {
  const { store, servers, seed, transactions, epochTransactions, faults, faultEveryMs, clients } = options
  console.log(
    `${transactions} transactions on ${store}, ${servers} ${servers === 1 ? 'server' : 'servers'}, ${clients} clients, ` +
      `faults: ${faults.join(', ') || 'none'}, seed ${seed}`,
  )
  const group = await start(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void group.close().then(() => process.exit(signal === 'SIGINT' ? 130 : 143)))
  }
  if (options.regions !== undefined) return runRegions(group, options, options.regions === 'witness')
  const totals = new Totals()
  let isRight = false
  try {
    const history = await HistoryRun.open(group, {
      seed,
      clients,
      faults: { kinds: faults, everyMs: faultEveryMs },
    })
    while (totals.committed < transactions) {
      const done = totals.committed
      const timer = setInterval(() => console.log(`${done + history.committed} so far`), progressEveryMs).unref()
      const epoch = await history.epoch({
        transactions: Math.min(epochTransactions, transactions - totals.committed),
      })
      clearInterval(timer)
      totals.add(epoch)
      keep(options, totals.epochs, epoch)
      if (epoch.anomalies.length > 0) return fail(epoch.anomalies, seed)
      console.log(totals.describe())
    }
    const anomalies = [...(await history.lastLook())]
    history.close()
    const finding = await group.verify()
    if (finding !== undefined) anomalies.push({ kind: 'hashrange verify', explanation: finding })
    const happened = Object.entries(history.faults.counts).map(([name, count]) => `${name} ${count}`)
    console.log(`Faults: ${happened.join(', ') || 'none'}`)
    if (anomalies.length > 0) return fail(anomalies, seed)
    console.log(`${totals.describe()}. 0 anomalies.`)
    isRight = true
    return 0
  } catch (error) {
    console.error(error)
    return fail([], seed)
  } finally {
    const left = await group.close({ keepsData: !isRight })
    if (left !== undefined) console.error(`The data is in ${left}.`)
  }
}

function fail(anomalies: readonly Anomaly[], seed: number): number {
  tell(anomalies)
  console.error(`\nIt failed, with ${anomalies.length} anomalies. The seed was ${seed}.`)
  return 1
}

function tell(anomalies: readonly Anomaly[]): void {
  for (const { kind, explanation } of anomalies) console.error(`\n${kind}: ${explanation}`)
}

/** Keeps what has an anomaly, and everything if that is wanted. */
function keep({ saveFolder, seed }: Options, number: number, { history, anomalies }: Epoch): void {
  if (saveFolder === undefined && anomalies.length === 0) return
  if (saveFolder !== undefined) mkdirSync(saveFolder, { recursive: true })
  const folder = saveFolder ?? mkdtempSync(join(tmpdir(), 'hashrange-histories-'))
  const file = join(folder, `seed-${seed}-part-${number}.jsonl`)
  saveEpoch(file, history)
  if (anomalies.length > 0) console.error(`The history is in ${file}; check it again with --check.`)
}
