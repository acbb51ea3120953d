import { seededNumbers, type Plain } from '../../backups/testing/owned-engine.ts'

export type Run = (operation: string, input: object) => Promise<unknown>

/** When a step of a writer was begun and acknowledged, by a count that all writers share. */
interface Step {
  readonly changes: readonly (readonly [pk: string, item: Plain | undefined])[]
  readonly begunAt: number
  endedAt: number
}

/** How far each writer had come: what was acknowledged must be in whatever is read from then on, what was begun may be. */
export interface Mark {
  readonly acknowledged: readonly number[]
  readonly begun: readonly number[]
}

/** A table under random writes, and the history of it: each writer has keys of its own and does one thing after the other. */
export class BusyTable {
  readonly tableName: string
  readonly #runs: readonly Run[]
  readonly #number: (below: number) => number
  readonly #keysPerWriter: number
  readonly #pauseMs: number
  readonly #first: Map<string, Plain>[] = []
  readonly #steps: Step[][] = []
  #count = 0
  #isStopped = false
  #writing: Promise<void>[] = []

  /** Writers that pause leave others some of the machine. */
  constructor(tableName: string, runs: readonly Run[], seed: number, keysPerWriter: number, pauseMs = 0) {
    this.tableName = tableName
    this.#runs = runs
    this.#number = seededNumbers(seed)
    this.#keysPerWriter = keysPerWriter
    this.#pauseMs = pauseMs
  }

  /** Two of three items are there before anything is written. */
  async fill(): Promise<void> {
    for (const [writer, run] of this.#runs.entries()) {
      const items = new Map<string, Plain>()
      for (let n = 0; n < this.#keysPerWriter; n++) {
        if (n % 3 > 0) items.set(`${writer}/${n}`, this.#item(`${writer}/${n}`, 'first'))
      }
      const requests = [...items.values()].map((Item) => ({ PutRequest: { Item } }))
      for (let from = 0; from < requests.length; from += 25) {
        await run('BatchWriteItem', { RequestItems: { [this.tableName]: requests.slice(from, from + 25) } })
      }
      this.#first.push(items)
      this.#steps.push([])
    }
  }

  start(): void {
    this.#isStopped = false
    this.#writing = this.#runs.map((run, writer) => this.#write(run, writer))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#writing)
  }

  /** Waits until every writer has done so many more steps. */
  async pass(steps: number): Promise<void> {
    const before = this.mark().acknowledged
    while (this.mark().acknowledged.some((count, writer) => count < (before[writer] ?? 0) + steps)) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  mark(): Mark {
    return {
      acknowledged: this.#steps.map((steps) => steps.filter(({ endedAt }) => endedAt < Infinity).length),
      begun: this.#steps.map(({ length }) => length),
    }
  }

  /** What is wrong with taking these items for those of one moment between the marks; nothing if they are. */
  whyNotOneMoment(items: Iterable<Plain>, from: Mark, to: Mark): string | undefined {
    const found = this.#steps.map(() => new Map<string, Plain>())
    for (const item of items) {
      const pk = pkOf(item)
      found[Number(pk.split('/')[0])]?.set(pk, item)
    }
    const places: number[] = []
    for (const [writer, own] of found.entries()) {
      const place = this.#placeOf(writer, own)
      if (place === undefined) return `what writer ${writer} wrote is no state that it ever had`
      if (place < (from.acknowledged[writer] ?? 0)) return `of writer ${writer}, something is missing`
      if (place > (to.begun[writer] ?? 0)) return `of writer ${writer}, there is something from later`
      places.push(place)
    }
    const lastBegun = Math.max(
      -1,
      ...places.map((place, writer) => this.#steps[writer]?.[place - 1]?.begunAt ?? -1),
    )
    const isTorn = places.some((place, writer) => (this.#steps[writer]?.[place]?.endedAt ?? Infinity) < lastBegun)
    return isTorn ? 'a later write is there, and an earlier one is not' : undefined
  }

  /** After how many of its steps a writer's items were these. */
  #placeOf(writer: number, found: ReadonlyMap<string, Plain>): number | undefined {
    const state = new Map(this.#first[writer])
    const wrong = new Set<string>()
    const compare = (pk: string): void => {
      if (itemText(state.get(pk)) === itemText(found.get(pk))) wrong.delete(pk)
      else wrong.add(pk)
    }
    for (const pk of [...state.keys(), ...found.keys()]) compare(pk)
    const steps = this.#steps[writer] ?? []
    for (let place = 0; ; place++) {
      if (wrong.size === 0) return place
      const step = steps[place]
      if (step === undefined) return undefined
      for (const [pk, item] of step.changes) {
        if (item === undefined) state.delete(pk)
        else state.set(pk, item)
        compare(pk)
      }
    }
  }

  async #write(run: Run, writer: number): Promise<void> {
    const steps = this.#steps[writer] ?? []
    const there = new Set(this.#stateAfter(writer))
    while (!this.#isStopped) {
      const { operation, input, changes } = this.#choose(writer, there, steps.length)
      const step: Step = { changes, begunAt: this.#count++, endedAt: Infinity }
      steps.push(step)
      await run(operation, input)
      if (this.#pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#pauseMs))
      step.endedAt = this.#count++
      for (const [pk, item] of changes) {
        if (item === undefined) there.delete(pk)
        else there.add(pk)
      }
    }
  }

  #stateAfter(writer: number): Iterable<string> {
    const state = new Set(this.#first[writer]?.keys())
    for (const { changes } of this.#steps[writer] ?? []) {
      for (const [pk, item] of changes) {
        if (item === undefined) state.delete(pk)
        else state.add(pk)
      }
    }
    return state
  }

  /** Every step leaves a state that never was before. */
  #choose(
    writer: number,
    there: ReadonlySet<string>,
    count: number,
  ): { readonly operation: string; readonly input: object; readonly changes: Step['changes'] } {
    const TableName = this.tableName
    const pk = `${writer}/${this.#number(this.#keysPerWriter)}`
    const other = `${writer}/${this.#number(this.#keysPerWriter)}`
    const Item = this.#item(pk, String(count))
    if (this.#number(3) > 0) return { operation: 'PutItem', input: { TableName, Item }, changes: [[pk, Item]] }
    const head = this.#item(`${writer}/head`, String(count))
    const puts = [head, ...(pk === other || there.has(pk) ? [] : [Item])]
    const deletes = there.has(other) && other !== pk ? [other] : []
    return {
      operation: 'TransactWriteItems',
      input: {
        TransactItems: [
          ...puts.map((put) => ({ Put: { TableName, Item: put } })),
          ...deletes.map((key) => ({ Delete: { TableName, Key: { pk: { S: key } } } })),
        ],
      },
      changes: [
        ...puts.map((put) => [pkOf(put), put] as const),
        ...deletes.map((key) => [key, undefined] as const),
      ],
    }
  }

  #item(pk: string, version: string): Plain {
    return {
      pk: { S: pk },
      version: { S: version },
      ...(this.#number(2) === 0 && { team: { S: `t${this.#number(7)}` } }),
      note: { S: 'x'.repeat(this.#number(150)) },
    }
  }
}

function pkOf(item: Plain): string {
  return (item['pk'] as { S: string }).S
}

function itemText(item: Plain | undefined): string | undefined {
  return item && JSON.stringify(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
