import { sequenceOfKey, type Key, type StoreVerification } from '@hashrange/engine'
import type { Client } from 'pg'
import type { Placement } from '../reads/placement.ts'
import { tableNames } from '../schema/names.ts'
import { counterParts } from '../schema/statements.ts'
import { takeTime } from '../session-settings.ts'

export interface VerifyRowsOptions {
  readonly connect: () => Promise<Client>
  readonly schema: string
  readonly placement: Placement
  readonly run: StoreVerification
}

/** Checks the rows themselves: each is in the shard where it is looked for, counters are counters, and no log has
 *  entries above its last sequence. Uses its own connection and short statements, so others are not blocked. */
export async function verifyRows(options: VerifyRowsOptions): Promise<boolean> {
  const client = await options.connect()
  try {
    await takeTime(client)
    const rows = new Rows(client, options)
    await rows.checkEntries()
    await rows.checkCounters()
    await rows.checkLogs()
    await rows.checkChecksums()
  } finally {
    await client.end().catch(() => undefined)
  }
  return true
}

class Rows {
  readonly #client: Client
  readonly #tables: ReturnType<typeof tableNames>
  readonly #placement: Placement
  readonly #run: StoreVerification

  constructor(client: Client, { schema, placement, run }: VerifyRowsOptions) {
    this.#client = client
    this.#tables = tableNames(schema)
    this.#placement = placement
    this.#run = run
  }

  async checkEntries(): Promise<void> {
    const { entries, kept } = this.#tables
    await this.#checkRowsOf('data', entries)
    await this.#checkRowsOf('kept', kept)
  }

  async #checkRowsOf(name: string, table: string): Promise<void> {
    await this.#eachPage<EntryRow>(
      `SELECT shard, key FROM ${table} WHERE (shard, key) > ($1, $2) ORDER BY shard, key LIMIT ${rowsPerPage}`,
      ({ shard, key }) => {
        if (key.length === 0) this.#fault(name, 'A row has no key.')
        else if (this.#placement.isCounter(key)) this.#fault(name, 'A counter lies among the other entries.', key)
        else this.#checkShard(name, shard, key)
      },
    )
  }

  async checkCounters(): Promise<void> {
    const { counters } = this.#tables
    const parts = Array.from({ length: counterParts }, (_, part) => `a${part}`).join(', ')
    await this.#eachPage<CounterRow>(
      `SELECT shard, key, slot, width, ARRAY[${parts}] AS parts FROM ${counters} WHERE (shard, key, slot) > ($1, $2, $3) ORDER BY shard, key, slot LIMIT ${rowsPerPage}`,
      ({ shard, key, width, parts: values }) => {
        if (!this.#placement.isCounter(key))
          this.#fault('counters', 'An entry that is not a counter lies among them.', key)
        else this.#checkShard('counters', shard, key)
        const isVector = width >= 1 && width <= counterParts && values.every((value) => Number.isFinite(value))
        if (!isVector) this.#fault('counters', 'A row is not a vector of counters.', key)
      },
      ({ shard, key, slot }) => [shard, key, slot],
      [-1, noBytes, -1],
    )
  }

  async checkLogs(): Promise<void> {
    const { entries, logs } = this.#tables
    await this.#eachPage<LogRow>(
      `SELECT shard, log AS key FROM ${logs} WHERE (shard, log) > ($1, $2) ORDER BY shard, log LIMIT ${rowsPerPage}`,
      async ({ shard, key: log }) => {
        this.#checkShard('logs', shard, log)
        const end = Buffer.concat([log, Buffer.alloc(9, 0xff)])
        const { rows: found } = await this.#client.query<{ key: Buffer }>(
          `SELECT key FROM ${entries} WHERE shard = $1 AND key > $2 AND key < $3 ORDER BY key DESC LIMIT 1`,
          [shard, log, end],
        )
        const [last] = found
        if (last === undefined || last.key.length !== log.length + 8) return
        // What is appended meanwhile raises the number: it is read afterwards.
        const { rows } = await this.#client.query<{ last: string }>(
          `SELECT last FROM ${logs} WHERE shard = $1 AND log = $2`,
          [shard, log],
        )
        const [head] = rows
        if (head !== undefined && BigInt(head.last) < sequenceOfKey(last.key)) {
          this.#fault('logs', 'A log has entries above the last sequence number that it gave out.', log)
        }
      },
    )
  }

  async checkChecksums(): Promise<void> {
    const { rows } = await this.#client.query<{ data_checksums: string }>('SHOW data_checksums')
    if (rows[0]?.data_checksums === 'on') return
    this.#run.onUnchecked(
      "PostgreSQL's own checksums (data_checksums) are off, so damaged pages cannot be told from others.",
    )
  }

  #checkShard(table: string, shard: number, key: Key): void {
    if (this.#placement.shardFrom(shard, key) !== shard)
      this.#fault(table, `A row is in shard ${shard}, where it would not be found.`, key)
  }

  #fault(table: string, problem: string, key?: Key): void {
    this.#run.onFault({ place: `table ${table} of PostgreSQL`, problem, ...(key !== undefined && { key }) })
  }

  /** Passes all rows to `visit`. `placeOf` says after which row the next page begins, and `start` what comes before
   *  the first. */
  async #eachPage<Row extends EntryRow>(
    text: string,
    visit: (row: Row) => void | Promise<void>,
    placeOf: (row: Row) => readonly unknown[] = ({ shard, key }) => [shard, key],
    start: readonly unknown[] = [-1, noBytes],
  ): Promise<void> {
    let after = start
    while (!this.#run.stopping.aborted) {
      const { rows } = await this.#client.query<Row>(text, [...after])
      for (const row of rows) await visit(row)
      this.#run.onProgress(rows.length)
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsPerPage) return
      after = placeOf(last)
    }
  }
}

const noBytes = Buffer.alloc(0)
const rowsPerPage = 5_000

interface EntryRow {
  readonly shard: number
  readonly key: Buffer
}

interface CounterRow extends EntryRow {
  readonly slot: number
  readonly width: number
  readonly parts: readonly number[]
}

type LogRow = EntryRow
