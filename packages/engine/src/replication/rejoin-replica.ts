import { unitsOfTable } from '../capacity/units.ts'
import type { Table } from '../catalog/table.ts'
import { transactOnTables } from '../catalog/transact-on-tables.ts'
import type { ReplicationDefinition } from '../definitions/table-definition.ts'
import { ChangePlan, storedOf, type ChangeOutcome } from '../items/change-plan.ts'
import type { StoredItem } from '../items/stored-item.ts'
import { keySpace, movedItemKey } from '../layout/key-space.ts'
import { itemStampKey, missedWrites, regionConditionsKey, strongStateKey } from '../layout/replication-keys.ts'
import { decodeItemStamp, type ItemStamp } from '../stamps/item-stamp.ts'
import type { Decision, Key, Value } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'
import { parseConditions } from '../strong/region-conditions.ts'
import { reachesMajority, strongly } from '../strong/strong-replicas.ts'
import { encodeStrongState, parseStrongState } from '../strong/strong-state.ts'
import { breathe, type Stopping } from '../work/background-work.ts'
import { otherMembers } from './members.ts'
import type { ReplicationHost } from './replication-host.ts'

const writesPerTransaction = 100

/** Brings to the replicas of strongly consistent global tables what they have missed, where they can be reached again. */
export async function rejoinAll(
  engine: ReplicationHost,
  through: Transactor,
  stopping: Stopping = { aborted: false },
): Promise<void> {
  for (const table of await replicasBehind(engine)) await rejoinReplica(engine, table, through, stopping)
}

/** The replicas that have missed something, and can be reached. */
export function replicasBehind(engine: ReplicationHost): Promise<readonly Table[]> | readonly Table[] {
  const tables = [...engine.catalog.all()].filter(({ definition }) => strongly(definition) !== undefined)
  if (tables.length === 0) return []
  return Promise.resolve(
    engine.store.view(async (snapshot) => {
      const [value, ...states] = await snapshot.getMany([regionConditionsKey(), ...tables.map(stateKeyOf)])
      const conditions = parseConditions(value)
      return tables.filter(
        ({ definition }, index) =>
          states[index] !== undefined && reachesMajority(replicationOf(definition), definition.region, conditions),
      )
    }),
  )
}

/** Brings to a replica what it has missed. Returns whether it has everything now. From the first step on, writes reach
 *  it again, so that nothing new is missed; when nothing is left of what was missed before, it has everything. If the
 *  region is cut off meanwhile, the next write notes that it is behind again. Each step can be repeated, and others may
 *  do the same at the same time. */
export async function rejoinReplica(
  engine: ReplicationHost,
  target: Table,
  through: Transactor,
  stopping: Stopping,
): Promise<boolean> {
  const turn = await beginJoining(target, through)
  if (turn === undefined) return isCurrent(engine, target)
  const range = missedWrites(replicationOf(target.definition).stampsId)
  while (!stopping.aborted) {
    const keys: Key[] = []
    await engine.store.view((snapshot) =>
      snapshot.range({ ...range, limit: writesPerTransaction }, (key) => keys.push(key) < writesPerTransaction),
    )
    if (keys.length === 0) return endJoining(target, through, turn)
    if (!(await bring(engine, target, keys, through, turn))) return false
    await breathe()
  }
  return false
}

async function isCurrent({ store }: ReplicationHost, target: Table): Promise<boolean> {
  return (await store.view((snapshot) => snapshot.get(stateKeyOf(target)))) === undefined
}

/** The turn in which it joins; undefined if it cannot, or need not. */
function beginJoining(target: Table, through: Transactor): Promise<number | undefined> {
  const key = stateKeyOf(target)
  return through.transact([regionConditionsKey(), key], ([conditions, value]): Decision<number | undefined> => {
    const state = parseStrongState(value)
    if (state === undefined || !isReached(target, conditions)) return { writes: [], answer: undefined }
    if (state.is === 'joining') return { writes: [], answer: state.turn }
    const turn = state.turn + 1
    return { writes: [{ kind: 'put', key, value: encodeStrongState({ is: 'joining', turn }) }], answer: turn }
  })
}

function endJoining(target: Table, through: Transactor, turn: number): Promise<boolean> {
  const key = stateKeyOf(target)
  return through.transact([regionConditionsKey(), key], ([conditions, value]): Decision<boolean> => {
    if (value === undefined) return { writes: [], answer: true }
    if (!isJoining(value, turn) || !isReached(target, conditions)) return { writes: [], answer: false }
    return { writes: [{ kind: 'delete', key }], answer: true }
  })
}

/** Brings the present states of some items. Any replica without a state of its own has all writes: a write that passes
 *  one by is made in such a replica. */
async function bring(
  engine: ReplicationHost,
  target: Table,
  marks: readonly Key[],
  through: Transactor,
  turn: number,
): Promise<boolean> {
  const source = await currentReplica(engine, target)
  if (source === undefined) return false
  const items = marks.map((mark) => movedItemKey(keySpace.item, target.id, mark))
  const { stampsId } = replicationOf(source.definition)
  const keys = [
    regionConditionsKey(),
    stateKeyOf(target),
    stateKeyOf(source),
    ...items.flatMap((item, index) => [
      marks[index] ?? item,
      item,
      movedItemKey(keySpace.item, source.id, item),
      itemStampKey(stampsId, item),
    ]),
  ]
  const brought = await transactOnTables(
    engine,
    [target, source],
    keys,
    ([conditions, state, sourceState, ...values], at): Decision<readonly Brought[] | undefined> => {
      if (!isJoining(state, turn) || sourceState !== undefined || !isReached(target, conditions)) {
        return { writes: [], answer: undefined }
      }
      const plan = new ChangePlan({ at, expired: false })
      const outcomes = items.flatMap((key, index): Brought | readonly [] => {
        const [mark, before, after, stamp] = values.slice(4 * index, 4 * index + 4)
        // A write has come before us.
        if (mark === undefined) return []
        plan.writes.push({ kind: 'delete', key: marks[index] ?? key })
        const previous = storedOf(before)
        const next = storedOf(after)
        if (previous === undefined && next === undefined) return []
        const change = { table: target, key, previous, next, strong: stampIn(stamp, source) }
        return { key, item: next ?? previous, outcome: plan.add(change, undefined) }
      })
      return { writes: plan.writes, answer: outcomes, effect: plan.effect }
    },
    through,
  )
  for (const { key, item, outcome } of brought ?? []) {
    engine.capacity.didWrite(target, key, unitsOfTable(outcome.units), item?.item, outcome.indexWrites)
  }
  return brought !== undefined
}

interface Brought {
  readonly key: Key
  readonly item: StoredItem | undefined
  readonly outcome: ChangeOutcome
}

async function currentReplica({ catalog, store }: ReplicationHost, target: Table): Promise<Table | undefined> {
  const others = otherMembers(catalog, target).filter(({ definition }) => definition.status !== 'CREATING')
  const states = await store.view((snapshot) => snapshot.getMany(others.map(stateKeyOf)))
  return others.find((_, index) => states[index] === undefined)
}

/** An item from before the table had replicas has no stamp. */
export function stampIn(value: Value | undefined, { definition: { region } }: Table): ItemStamp {
  return value === undefined ? { stamp: { micros: 0, region }, seen: {} } : decodeItemStamp(value)
}

function isJoining(value: Value | undefined, turn: number): boolean {
  const state = parseStrongState(value)
  return state?.is === 'joining' && state.turn === turn
}

function isReached({ definition }: Table, conditions: Value | undefined): boolean {
  return reachesMajority(replicationOf(definition), definition.region, parseConditions(conditions))
}

function stateKeyOf({ definition }: Table): Buffer {
  return strongStateKey(replicationOf(definition).stampsId)
}

function replicationOf({ replication }: Table['definition']): ReplicationDefinition {
  if (replication === undefined) throw new Error('a replica has a definition of replication')
  return replication
}
