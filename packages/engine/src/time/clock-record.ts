import { isRecord } from '../api/is-record.ts'
import { clockKey } from '../layout/key-space.ts'
import type { Decision, Store, Value } from '../store/store.ts'
import { firstEra, setBack, steadyAt, type ClockEras, type SetBack } from './clock-eras.ts'

/** What a store remembers about its clock. If it was never set back, and its logs were never trimmed, nothing is
 *  written. ON DISK as JSON. */
export interface ClockRecord {
  readonly eras: ClockEras
  /** How far logs have been removed, by retention period: if the clock is set back, what was removed stays removed. */
  readonly trimmed: readonly TrimMark[]
}

export interface TrimMark {
  readonly keptMs: number
  readonly toSteadyMs: number
}

/** The moment of steady time that was `agoMs` ago, at a calendar time that has certainly passed, and no earlier than
 *  what has been removed from logs with that retention. Time in which the clock was ahead by mistake does not count;
 *  if it was set back, older data may be taken for younger than it is. */
export function steadyAgo({ eras, trimmed }: ClockRecord, settledMs: number, agoMs: number): number {
  let atMs = steadyAt(eras, settledMs - agoMs)
  for (const { keptMs, toSteadyMs } of trimmed) if (keptMs >= agoMs && toSteadyMs > atMs) atMs = toSteadyMs
  return atMs
}

export async function readClockRecord(store: Store): Promise<ClockRecord> {
  return parse(await store.view((snapshot) => snapshot.get(clockKey())))
}

/** Records that the clock was set back, unless another server has already recorded it. */
export function recordSetBack(store: Store, back: SetBack): Promise<ClockRecord> {
  return change(store, (record) => {
    const eras = setBack(record.eras, back)
    return eras === record.eras ? record : { ...record, eras }
  })
}

/** Records how far logs with the retention `keptMs` are about to be removed. */
export function recordTrim(store: Store, mark: TrimMark): Promise<ClockRecord> {
  return change(store, (record) => {
    const others = record.trimmed.filter(({ keptMs }) => keptMs !== mark.keptMs)
    const known = record.trimmed.find(({ keptMs }) => keptMs === mark.keptMs)
    if (known !== undefined && known.toSteadyMs >= mark.toSteadyMs) return record
    // Periods come and go with tables; those that were not used for long come after the others.
    return { ...record, trimmed: [mark, ...others].slice(0, mostMarks) }
  })
}

/** Tables have 35 possible retention periods, and streams have one more. */
const mostMarks = 100

function change(store: Store, changed: (record: ClockRecord) => ClockRecord): Promise<ClockRecord> {
  const key = clockKey()
  return store.transact([key], ([value]): Decision<ClockRecord> => {
    const known = parse(value)
    const record = changed(known)
    const writes =
      record === known ? [] : [{ kind: 'put' as const, key, value: Buffer.from(JSON.stringify(record)) }]
    return { writes, answer: record }
  })
}

function parse(value: Value | undefined): ClockRecord {
  if (value === undefined) return { eras: firstEra, trimmed: [] }
  return JSON.parse(value.toString('utf8')) as ClockRecord
}

/** Whether something that was read is a valid clock record: eras follow each other, each with a greater lead. */
export function isClockRecord(raw: unknown): raw is ClockRecord {
  if (!isRecord(raw)) return false
  const { eras, trimmed } = raw
  if (!Array.isArray(eras) || eras.length === 0 || !Array.isArray(trimmed)) return false
  const hasNumbers = (entry: unknown, names: readonly string[]): boolean =>
    isRecord(entry) && names.every((name) => Number.isFinite(entry[name]))
  return (
    eras.every((era) => hasNumbers(era, ['fromSteadyMs', 'leadMs'])) &&
    trimmed.every((mark) => hasNumbers(mark, ['keptMs', 'toSteadyMs'])) &&
    (eras as ClockEras).every(({ fromSteadyMs, leadMs }, index, all) => {
      const before = all[index - 1]
      return before === undefined || (fromSteadyMs > before.fromSteadyMs && leadMs > before.leadMs)
    })
  )
}
