import { breathe, type Stopping } from '../work/background-work.ts'
import { deleteSome } from '../work/delete-range.ts'
import { metricsKey, metricsPrefix, metricsRange, readMetricsKey } from '../layout/metering-keys.ts'
import { above } from '../layout/key-bounds.ts'
import type { Scope } from '../scope.ts'
import type { Key, Store, Value, Write } from '../store/store.ts'
import type { MeterRow } from './meter-row.ts'
import { decodeRow, encodeRow } from './stored-row.ts'
import type { MetricName } from './metric-names.ts'
import { resolutions, type Resolution } from './resolutions.ts'
import type { ClosedRow, ResourceName } from './resource-meter.ts'

export interface StoredPeriod {
  readonly startMs: number
  readonly row: MeterRow
}

const rowsPerTransaction = 50

/** Stores what was counted, in several resolutions at once. Each process writes its own rows, and readers add them
 *  up, so servers that share a store need not wait for each other. */
export class MetricStore {
  readonly #store: Store
  /** Distinguishes this process's rows from others'. */
  readonly #writer: Uint8Array
  /** The last of the running reads and writes. They take turns, so that no reader finds a minute both here and in
   *  memory, or in neither. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(store: Store, uuid: string) {
    this.#store = store
    this.#writer = Buffer.from(uuid.replaceAll('-', '').slice(0, 16), 'hex')
  }

  /** Runs `work` when nothing else is running. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Adds minutes to what is stored. */
  async add(rows: readonly (ClosedRow & { readonly name: ResourceName })[]): Promise<void> {
    for (let at = 0; at < rows.length; at += rowsPerTransaction) {
      await this.#addSome(rows.slice(at, at + rowsPerTransaction))
    }
  }

  /** The periods of one resource in one resolution that begin between two moments, in order of time. */
  async read(
    { scope, tableName, indexName }: ResourceName,
    { code }: Resolution,
    fromMs: number,
    toMs: number,
  ): Promise<readonly StoredPeriod[]> {
    const prefix = metricsPrefix(code, scope, tableName, indexName)
    const none = new Uint8Array()
    const periods: StoredPeriod[] = []
    await this.#store.view((snapshot) =>
      snapshot.range(
        { from: metricsKey(prefix, startSeconds(fromMs), none), to: metricsKey(prefix, startSeconds(toMs), none) },
        (key, value) => {
          periods.push({ startMs: readMetricsKey(key).startSeconds * 1000, row: decodeRow(value) })
          return true
        },
      ),
    )
    return periods
  }

  /** The last sample of a metric before a moment, as far back as minutes, and then hours, are kept. */
  async lastBefore(
    { scope, tableName, indexName }: ResourceName,
    metric: MetricName,
    beforeMs: number,
  ): Promise<number | undefined> {
    const [minutes, , hours] = resolutions
    for (const { code, periodMs } of [minutes, hours].filter((one) => one !== undefined)) {
      const prefix = metricsPrefix(code, scope, tableName, indexName)
      const to = metricsKey(prefix, startSeconds(Math.floor(beforeMs / periodMs) * periodMs), new Uint8Array())
      let found: number | undefined
      await this.#store.view((snapshot) =>
        snapshot.range({ from: prefix, to, reverse: true }, (_key, value) => {
          found = decodeRow(value).find(metric, undefined)?.last
          return found === undefined
        }),
      )
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Which resources have stored rows in a resolution. Costs one step per resource, however many rows there are. */
  async names({ code }: Resolution, scope?: Scope): Promise<readonly ResourceName[]> {
    const names: ResourceName[] = []
    const whole = scope === undefined ? metricsRange(code) : scopeRange(code, scope)
    let { from }: { from: Key } = whole
    for (;;) {
      const key = await this.#firstKey(from, whole.to)
      if (key === undefined) return names
      const { accountId, region, tableName, indexName } = readMetricsKey(key)
      names.push({
        scope: { accountId, region },
        tableName: tableName === '' ? undefined : tableName,
        indexName: indexName === '' ? undefined : indexName,
      })
      from = above(metricsPrefix(code, { accountId, region }, tableName, indexName))
    }
  }

  /** Removes what has been kept long enough. */
  async trim(nowMs: number, stopping: Stopping): Promise<void> {
    for (const resolution of resolutions) {
      for (const { scope, tableName, indexName } of await this.names(resolution)) {
        const prefix = metricsPrefix(resolution.code, scope, tableName, indexName)
        const to = metricsKey(prefix, startSeconds(nowMs - resolution.keptMs), new Uint8Array())
        while (!stopping.aborted && (await deleteSome(this.#store, { from: prefix, to }))) await breathe()
        if (stopping.aborted) return
      }
    }
  }

  #addSome(rows: readonly (ClosedRow & { readonly name: ResourceName })[]): Promise<void> {
    const added = new Map<string, { readonly key: Buffer; readonly rows: MeterRow[] }>()
    for (const { name, minute, row } of rows) {
      for (const { code, periodMs } of resolutions) {
        const startMs = Math.floor((minute * 60_000) / periodMs) * periodMs
        const prefix = metricsPrefix(code, name.scope, name.tableName, name.indexName)
        const key = metricsKey(prefix, startSeconds(startMs), this.#writer)
        const text = key.toString('latin1')
        const known = added.get(text)
        if (known === undefined) added.set(text, { key, rows: [row] })
        else known.rows.push(row)
      }
    }
    const all = [...added.values()]
    return this.#store.transact(
      all.map(({ key }) => key),
      (values) => ({
        writes: all.map(({ key, rows: more }, position): Write => {
          return { kind: 'put', key, value: merged(values[position], more) }
        }),
        answer: undefined,
      }),
    )
  }

  async #firstKey(from: Key, to: Key): Promise<Key | undefined> {
    let found: Key | undefined
    await this.#store.view((snapshot) =>
      snapshot.range({ from, to, limit: 1 }, (key) => {
        found = key
        return false
      }),
    )
    return found
  }
}

function merged(stored: Value | undefined, rows: readonly MeterRow[]): Value {
  const [first, ...more] = stored === undefined ? rows : [decodeRow(stored), ...rows]
  if (first === undefined) throw new Error('there is a row to be stored')
  // The rows themselves are not modified: a decision may run twice.
  const sum = decodeRow(encodeRow(first))
  for (const row of more) sum.merge(row)
  return encodeRow(sum)
}

function scopeRange(code: number, { accountId, region }: Scope): { readonly from: Key; readonly to: Key } {
  const from = Buffer.concat([metricsRange(code).from, Buffer.from(`${accountId}\0${region}\0`, 'utf8')])
  return { from, to: above(from) }
}

function startSeconds(timeMs: number): number {
  return Math.min(Math.max(Math.floor(timeMs / 1000), 0), 2 ** 32 - 1)
}
