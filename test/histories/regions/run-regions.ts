import type { Options } from '../options.ts'
import type { ServerGroup } from '../servers/server-group.ts'
import { RegionRun } from './region-run.ts'

/** A long run in all regions of a strongly consistent global table. Answers the exit code. */
export async function runRegions(group: ServerGroup, options: Options, hasWitness: boolean): Promise<number> {
  const { seed, clients, faults, faultEveryMs, transactions, epochTransactions } = options
  const regions = hasWitness ? 2 : 3
  let isRight = false
  try {
    const run = await RegionRun.open(group, {
      seed,
      clientsPerRegion: Math.ceil(clients / regions),
      faults: { kinds: faults, everyMs: faultEveryMs },
      hasWitness,
    })
    let [operations, answered] = [0, 0]
    while (operations < transactions) {
      const epoch = await run.epoch({
        operations: Math.min(epochTransactions, transactions - operations),
        seconds: Infinity,
      })
      operations += epoch.operations
      answered += epoch.answered
      console.log(`${operations} operations in ${regions} regions, ${answered} of them answered`)
      for (const { kind, explanation } of epoch.anomalies) console.error(`\n${kind}: ${explanation}`)
      if (epoch.anomalies.length > 0) return 1
    }
    run.close()
    const finding = await group.verify()
    if (finding !== undefined) console.error(`\nhashrange verify: ${finding}`)
    const happened = Object.entries({ ...run.faults.counts, ...run.regionFaults.counts })
    console.log(`Faults: ${happened.map(([name, count]) => `${name} ${count}`).join(', ')}`)
    isRight = finding === undefined
    if (isRight) console.log('0 anomalies.')
    return isRight ? 0 : 1
  } finally {
    const left = await group.close({ keepsData: !isRight })
    if (left !== undefined) console.error(`The data is in ${left}. The seed was ${seed}.`)
  }
}
