import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPlain } from '@hashrange/engine'
import { copyItems, copyTables, type DatabasePort } from '@hashrange/transfer'
import type { CopyState } from '@hashrange/workbench/answers'
import type { Database } from '../connections/database-at.ts'

export interface CopyRequest {
  readonly from: Database
  readonly to: Database
  /** Whole tables. */
  readonly tables?: readonly string[] | undefined
  /** Or items of one. */
  readonly items?: ItemsToCopy | undefined
}

export interface ItemsToCopy {
  readonly tableName: string
  readonly toTableName: string
  readonly keys: readonly Readonly<Record<string, unknown>>[]
}

/** A copy that runs in this server, whatever becomes of the page that has started it. */
export class CopyJob {
  readonly id = randomUUID()
  /** Whose it is. */
  readonly holder: string
  readonly #from: string
  readonly #to: string
  readonly #controller = new AbortController()
  #outcome: CopyState['outcome'] = 'running'
  #problem: string | undefined
  #tableName = ''
  #done = 0
  #total: number | undefined

  constructor(holder: string, request: CopyRequest, explain: (error: unknown) => string) {
    this.holder = holder
    this.#from = request.from.name
    this.#to = request.to.name
    this.#run(request).then(
      (isComplete) => (this.#outcome = isComplete ? 'done' : 'cancelled'),
      (error: unknown) => {
        this.#outcome = this.#controller.signal.aborted ? 'cancelled' : 'failed'
        this.#problem = explain(error)
      },
    )
  }

  get isRunning(): boolean {
    return this.#outcome === 'running'
  }

  get state(): CopyState {
    return {
      id: this.id,
      from: this.#from,
      to: this.#to,
      outcome: this.#outcome,
      tableName: this.#tableName,
      done: this.#done,
      ...(this.#total !== undefined && { total: this.#total }),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    }
  }

  /** Stops it between two pages. What was copied stays. */
  cancel(): void {
    this.#controller.abort()
  }

  async #run({ from, to, tables, items }: CopyRequest): Promise<boolean> {
    const { signal } = this.#controller
    let before = 0
    const progress = {
      begin: (label: string, total: number | undefined) => {
        this.#tableName = label
        this.#total = total === undefined ? undefined : before + total
      },
      add: (count: number) => {
        this.#done += count
      },
      end: () => {
        before = this.#done
      },
    }
    const ports = { from: portOf(from), to: portOf(to) }
    if (items !== undefined) return copyItems({ ...ports, ...items, progress, signal })
    const folder = await mkdtemp(join(tmpdir(), 'hashrange-copy-'))
    try {
      const { isComplete } = await copyTables({
        ...ports,
        tables,
        statePath: join(folder, 'state.json'),
        progress,
        signal,
      })
      return isComplete
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function portOf(database: Database): DatabasePort {
  return {
    name: database.name,
    request: async (operation, input) => {
      const answer = toPlain(await database.execute('DynamoDB_20120810', operation, input))
      return answer as Readonly<Record<string, unknown>>
    },
    close: async () => undefined,
  }
}
