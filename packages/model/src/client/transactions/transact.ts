import { ModelError } from '../../errors.ts'
import type { Connection, Cost, Request } from '../connection.ts'
import { Meter } from '../connection.ts'
import { plannedWrites, type EntityWrites } from '../entity-client.ts'
import type { EntityRuntime } from '../entity-runtime.ts'
import type { PlannedWrite } from '../planned-writes.ts'
import { sendWrites, writeRequest } from '../send-writes.ts'
import type { WriteAction } from '../write-action.ts'
import { TokenPins } from './token-pins.ts'

export interface TransactOptions {
  /** Makes a repetition harmless for ten minutes: at most 36 characters, the same for the same transaction and for no
   *  other, ever, since identifiers that are drawn at random follow from it. */
  readonly token?: string | undefined
}

type Build = (t: Readonly<Record<string, object>>) => readonly PlannedWrite[]

/** `db.transact((t) => [t.Order.create(…), t.Product.update(…)])`: all of it or nothing, guards and index items
 *  included. Planned again if what was read for it has changed meanwhile. */
export function transactFunction(
  connection: Connection,
  writesOf: (entity: EntityRuntime) => EntityWrites = plannedWrites,
): object {
  const steps = Object.fromEntries([...connection.entities].map(([name, entity]) => [name, writesOf(entity)]))
  const pins = new TokenPins(connection.context)
  const call = async (build: Build, options: TransactOptions = {}): Promise<{ readonly cost: Cost }> => {
    const meter = new Meter()
    const writes = build(steps)
    if (writes.length === 0) return { cost: meter.cost() }
    let last: ModelError | undefined
    for (let attempt = 0; attempt < connection.maxAttempts; attempt++) {
      if (attempt > 0) await connection.pause(attempt)
      const actions = await planAll(connection, writes, meter, pins, options.token)
      if (actions.length === 0) return { cost: meter.cost() }
      const sent = await sendWrites(connection, actions, meter, { token: options.token, isTransaction: true })
      if (sent.isDone) return { cost: meter.cost() }
      if (!sent.isWorthRetrying) throw sent.error
      last = sent.error
    }
    throw last ?? new ModelError('CONFLICT', 'The transaction could not be completed. Retry a little later.')
  }
  const explain = async (build: Build, options: TransactOptions = {}): Promise<readonly Request[]> => {
    const actions = await planAll(connection, build(steps), new Meter(), pins, options.token)
    return [writeRequest(connection, actions, { token: options.token, isTransaction: true })]
  }
  return Object.assign(call, { explain })
}

async function planAll(
  connection: Connection,
  writes: readonly PlannedWrite[],
  meter: Meter,
  pins: TokenPins,
  token: string | undefined,
): Promise<readonly WriteAction[]> {
  const plans = await Promise.all(
    writes.map(async (write, i) => {
      if (token === undefined) return write.plan(connection, meter)
      return write.plan(connection.with({ context: await pins.contextOf(token, i) }), meter)
    }),
  )
  return plans.flatMap(({ actions }) => actions)
}
