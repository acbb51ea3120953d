import { evaluated, unverified, verified } from '../measure/auth.ts'
import type { Measurement } from '../measure/alternate.ts'
import { plainTable, replicatedTable, tablesWithLog } from '../measure/changes.ts'
import { metered, unmetered } from '../measure/metering.ts'
import { modelOperations, plainSdk, throughModel } from '../measure/model.ts'
import { bareSql, oneServer, twoServers } from '../measure/postgres.ts'
import type { OperationName } from '../workload/operations.ts'
import { costGoals } from './cost-report.ts'
import type { Results } from './results.ts'

export interface Goal {
  readonly text: string
  readonly measured: number
  readonly unit: '×' | 'ms' | 'MB' | '/s'
  readonly isMet: boolean
}

const slowdownGoal = 1.3
const modelOverheadGoal = 1.15
const loggedWriteGoal = 0.75
const replicatedWriteGoal = 0.7
const replicationLagGoalMs = 1_000
const meteredGoal = 0.97
const verifiedGoal = 0.7
const evaluatedGoal = 0.9
const importGoal = 0.15
const besideBackupGoal = 0.5
const grownByBackupGoal = 3
const firstAnswerGoalMs = 300
const triggeredGoal = 10_000
const waitingGrowthGoal = 1.5
const loadMemoryGoalMb = 500

/** The goals that this run says something about. */
export function goalsOf(results: Results): Goal[] {
  return [
    ...speedGoal(results, 'GetItem', 'echo', 0.8),
    ...speedGoal(results, 'GetItem', 'dynalite', 2),
    ...speedGoal(results, 'Query', 'dynalite', 5),
    ...speedGoal(results, 'PutItem', 'dynalite', 1),
    ...embeddedGoal(results),
    ...modelGoals(results),
    ...changesGoals(results),
    ...meteringGoals(results),
    ...authGoals(results),
    ...triggerGoals(results),
    ...backupGoals(results),
    ...growthGoals(results),
    ...importGoalOf(results),
    ...postgresGoals(results),
    ...costGoals(results.costs),
    ...startupGoal(results),
    ...waitGoals(results),
  ]
}

/** How many times `name`'s throughput the other one has, where both are measured. */
function timesOf(measurements: readonly Measurement[], name: string, other: string): number | undefined {
  const one = measurements.find((measurement) => measurement.name === name)
  const base = measurements.find((measurement) => measurement.name === other)
  return one === undefined || base === undefined ? undefined : one.perSecond / base.perSecond
}

function speedGoal({ http }: Results, operation: OperationName, peer: string, least: number): Goal[] {
  const times = timesOf(http?.[operation] ?? [], 'hashrange', peer)
  if (times === undefined) return []
  const what = operation === 'PutItem' ? 'durable PutItem with an index' : operation
  return [{ text: `${what} ≥ ${least} × ${peer}`, measured: times, unit: '×', isMet: times >= least }]
}

function embeddedGoal({ embedded }: Results): Goal[] {
  const times = timesOf(embedded?.GetItem ?? [], 'embedded', 'raw LMDB read')
  if (times === undefined) return []
  return [{ text: 'embedded GetItem ≥ 0.5 × raw LMDB read', measured: times, unit: '×', isMet: times >= 0.5 }]
}

function modelGoals({ model = {} }: Results): Goal[] {
  return modelOperations.flatMap((operation): Goal[] => {
    const measured = timesOf(model[operation] ?? [], plainSdk, throughModel)
    if (measured === undefined) return []
    const what = operation === 'Query' ? 'a Query of 20 items' : 'a GetItem'
    const text = `${what} through a model takes < ${modelOverheadGoal} × the plain call`
    return [{ text, measured, unit: '×', isMet: measured < modelOverheadGoal }]
  })
}

function meteringGoals({ metering = {} }: Results): Goal[] {
  return (['GetItem', 'PutItem'] as const).flatMap((operation): Goal[] => {
    const times = timesOf(metering[operation] ?? [], metered, unmetered)
    if (times === undefined) return []
    const text = `${operation} with metering ≥ ${meteredGoal} × without`
    return [{ text, measured: times, unit: '×', isMet: times >= meteredGoal }]
  })
}

function authGoals({ auth = {} }: Results): Goal[] {
  const measured = auth.GetItem ?? []
  const ofVerified = timesOf(measured, verified, unverified)
  const ofEvaluated = timesOf(measured, evaluated, verified)
  if (ofVerified === undefined || ofEvaluated === undefined) return []
  return [
    {
      text: `GetItem whose signature is verified ≥ ${verifiedGoal} × unverified`,
      measured: ofVerified,
      unit: '×',
      isMet: ofVerified >= verifiedGoal,
    },
    {
      text: `GetItem under a policy of 50 statements ≥ ${evaluatedGoal} × of that`,
      measured: ofEvaluated,
      unit: '×',
      isMet: ofEvaluated >= evaluatedGoal,
    },
  ]
}

function changesGoals({ changes = {}, replicationLagMs }: Results): Goal[] {
  const goals: Goal[] = []
  for (const operation of ['PutItem', 'UpdateItem'] as const) {
    for (const name of [...tablesWithLog, replicatedTable] as const) {
      const times = timesOf(changes[operation] ?? [], name, plainTable)
      if (times === undefined) continue
      const goal = name === replicatedTable ? replicatedWriteGoal : loggedWriteGoal
      const text = `${operation} ${name} ≥ ${goal} × ${plainTable}`
      goals.push({ text, measured: times, unit: '×', isMet: times >= goal })
    }
  }
  if (replicationLagMs !== undefined) {
    const text = `a replica that is late by < ${replicationLagGoalMs} ms at that rate`
    goals.push({ text, measured: replicationLagMs, unit: 'ms', isMet: replicationLagMs < replicationLagGoalMs })
  }
  return goals
}

function backupGoals({ backups }: Results): Goal[] {
  return (backups?.stores ?? []).flatMap(({ store, alonePerSecond, duringPerSecond, grownTimes }): Goal[] => {
    const measured = duringPerSecond / alonePerSecond
    const text = `on ${store}, updates of hot items beside a backup ≥ ${besideBackupGoal} × alone`
    const speed: Goal = { text, measured, unit: '×', isMet: measured >= besideBackupGoal }
    if (grownTimes === undefined) return [speed]
    const size = `a data file that grows by < ${grownByBackupGoal} × the backup`
    return [speed, { text: size, measured: grownTimes, unit: '×', isMet: grownTimes < grownByBackupGoal }]
  })
}

function growthGoals({ growth }: Results): Goal[] {
  if (growth === undefined) return []
  const sizes = `${inWords(growth.largeItemCount)} items within ${slowdownGoal} × of ${inWords(growth.smallItemCount)}`
  const goals = growth.operations.map(({ operation, slowdown }): Goal => {
    return { text: `${operation} at ${sizes}`, measured: slowdown, unit: '×', isMet: slowdown <= slowdownGoal }
  })
  const { anonymousBytes } = growth.load.memory
  if (anonymousBytes === undefined) return goals
  const measured = anonymousBytes / 1e6
  const text = `loading ${inWords(growth.largeItemCount)} items in < ${loadMemoryGoalMb} MB of anonymous memory`
  return [...goals, { text, measured, unit: 'MB', isMet: measured < loadMemoryGoalMb }]
}

function importGoalOf({ import: imported }: Results): Goal[] {
  if (imported === undefined) return []
  const text = `ImportTable of ${inWords(imported.itemCount)} items ≥ ${importGoal} × bare LMDB bulk load`
  const measured = imported.timesBare
  return [{ text, measured, unit: '×', isMet: measured >= importGoal }]
}

function postgresGoals({ postgres }: Results): Goal[] {
  if (postgres === undefined) return []
  const { operations, growth, largeItemCount, smallItemCount } = postgres
  const goals: Goal[] = []
  for (const [operation, least] of [
    ['GetItem', 0.7],
    ['Query', 0.6],
    ['PutItem', 0.5],
  ] as const) {
    const times = timesOf(operations[operation] ?? [], oneServer, bareSql)
    if (times === undefined) continue
    const what = operation === 'PutItem' ? 'PutItem with an index' : operation
    const text = `on PostgreSQL, ${what} ≥ ${least} × ${bareSql}`
    goals.push({ text, measured: times, unit: '×', isMet: times >= least })
  }
  for (const operation of ['GetItem', 'PutItem'] as const) {
    const together = timesOf(operations[operation] ?? [], twoServers, oneServer)
    if (together === undefined) continue
    const text = `on PostgreSQL, ${operation} of ${twoServers} > ${oneServer}`
    goals.push({ text, measured: together, unit: '×', isMet: together > 1 })
  }
  const sizes = `${inWords(largeItemCount)} items within ${slowdownGoal} × of ${inWords(smallItemCount)}`
  for (const { operation, slowdown } of growth) {
    const text = `on PostgreSQL, ${operation} at ${sizes}`
    goals.push({ text, measured: slowdown, unit: '×', isMet: slowdown <= slowdownGoal })
  }
  return goals
}

function triggerGoals({ triggers }: Results): Goal[] {
  if (triggers === undefined) return []
  const measured = triggers.recordsPerSecond
  const growth = triggers.standingStillBytes / triggers.standingStillEarlyBytes
  return [
    {
      text: 'changes through a function that does nothing ≥ 10,000 per second',
      measured,
      unit: '/s',
      isMet: measured >= triggeredGoal,
    },
    {
      text: 'memory with four times as many changes waiting for a function that never answers ≤ 1.5 ×',
      measured: growth,
      unit: '×',
      isMet: growth <= waitingGrowthGoal,
    },
  ]
}

function startupGoal({ startup }: Results): Goal[] {
  if (startup === undefined) return []
  const measured = startup.firstAnswerMs
  return [
    {
      text: `first answer ≤ ${firstAnswerGoalMs} ms after the start`,
      measured,
      unit: 'ms',
      isMet: measured <= firstAnswerGoalMs,
    },
  ]
}

function waitGoals({ waits = [] }: Results): Goal[] {
  return waits.map(({ what, goalMs, tookMs }) => {
    return { text: `${what} ≤ ${goalMs} ms`, measured: tookMs, unit: 'ms', isMet: tookMs <= goalMs }
  })
}

function inWords(count: number): string {
  if (count >= 1e6) return `${count / 1e6} million`
  return count >= 1e3 ? `${count / 1e3} thousand` : String(count)
}
