import { onCitus, onOnePostgres, type Cost } from '../measure/costs.ts'
import { bareSql } from '../measure/postgres.ts'
import type { Goal } from './goals.ts'
import { textTable } from './text-table.ts'

const oneClientGoal = 0.6
const serversGoal = 1.3
const citusGoal = 1.5

export function costsText(costs: readonly Cost[]): string {
  const rows = costs.map((cost) => [
    cost.operation,
    cost.name,
    String(cost.clients),
    cost.perSecond.toFixed(0),
    micros(cost.callerMicroseconds),
    cost.nodes.map(({ name, microseconds }) => `${name} ${micros(microseconds)}`).join(', '),
  ])
  return [
    '\nProcessor time of one request, durable: in the servers (or in the process with the bare statements), and in each node of the database.',
    textTable(['', '', 'clients', 'req/s', 'servers', 'database'], rows),
  ].join('\n')
}

/** Processor time, in place of throughput: a node's capacity is one core, divided by what a request costs it. */
export function costGoals(costs: readonly Cost[] = []): Goal[] {
  return [...oneClientGoals(costs), ...serverGoals(costs), ...citusGoals(costs)]
}

function oneClientGoals(costs: readonly Cost[]): Goal[] {
  return (['GetItem', 'Query'] as const).flatMap((operation): Goal[] => {
    const [bare, served] = costs.filter((cost) => cost.operation === operation && cost.clients === 1)
    if (bare?.name !== bareSql || served === undefined) return []
    const measured = wholeOf(bare) / wholeOf(served)
    const text = `${operation} of one client, processor time of ${bareSql} ≥ ${oneClientGoal} × with a server`
    return [{ text, measured, unit: '×', isMet: measured >= oneClientGoal }]
  })
}

function serverGoals(costs: readonly Cost[]): Goal[] {
  const [one, , three] = costs.filter(({ name }) => name.endsWith('of three servers'))
  if (one === undefined || three === undefined) return []
  const measured = busiest(three) / busiest(one)
  const text = `PutItem of the same clients through three servers costs PostgreSQL ≤ ${serversGoal} × through one`
  return [{ text, measured, unit: '×', isMet: measured <= serversGoal }]
}

/** Of a cluster, the busiest node is the limit. Each of its nodes is as large as the one PostgreSQL. */
function citusGoals(costs: readonly Cost[]): Goal[] {
  return ['no index', 'one index'].flatMap((what): Goal[] => {
    const alone = costs.find(({ name }) => name === `${onOnePostgres}, ${what}`)
    const spread = costs.find(({ name }) => name === `${onCitus}, ${what}`)
    if (alone === undefined || spread === undefined) return []
    const measured = busiest(alone) / busiest(spread)
    const text = `PutItem, ${what}: a ${onCitus} cluster with two workers carries ≥ ${citusGoal} × ${onOnePostgres}`
    return [{ text, measured, unit: '×', isMet: measured >= citusGoal }]
  })
}

function wholeOf({ callerMicroseconds, nodes }: Cost): number {
  return nodes.reduce((sum, { microseconds }) => sum + microseconds, callerMicroseconds)
}

function busiest({ nodes }: Cost): number {
  return Math.max(...nodes.map(({ microseconds }) => microseconds))
}

function micros(microseconds: number): string {
  return `${microseconds.toFixed(0)} µs`
}
