import type { IndexDescription, PatternDescription, TableDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { Position } from './cursor.ts'
import type { PlainItem, StoredItem } from './entity-runtime.ts'
import { KindReader } from './kind-reader.ts'
import { QueryPlanner } from './query-plan.ts'
import type { QueryPlan } from './query-plan.ts'
import { partInput, readPage } from './read-page.ts'
import type { PageRequest } from './read-page.ts'
import { readShards } from './read-shards.ts'

export interface QueryOptions {
  /** Where the page before ended. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Entry {
  readonly entity: string
  readonly item: PlainItem
}

/** A page of results. */
class Page {
  /** The items by entity, each in order. */
  readonly items: Readonly<Record<string, readonly PlainItem[]>>
  /** All items in the order in which they were read, each with the entity it is. */
  readonly entries: readonly Entry[]
  /** For the next page; absent after the last one. */
  readonly cursor: string | undefined
  readonly cost: Cost

  constructor(names: readonly string[], entries: readonly Entry[], cursor: string | undefined, cost: Cost) {
    const items: Record<string, PlainItem[]> = Object.fromEntries(names.map((name) => [name, []]))
    for (const { entity, item } of entries) items[entity]?.push(item)
    this.items = items
    this.entries = entries
    this.cursor = cursor
    this.cost = cost
  }
}

/** The function of a query or scan pattern: `db.recentOrders(parameters, options)`. */
export function queryFunction(
  connection: Connection,
  modelName: string,
  pattern: PatternDescription,
  place: {
    readonly table: TableDescription
    readonly tableName: string
    readonly index: IndexDescription | undefined
  },
): object {
  const all = [...connection.entities.values()]
  const owners = new Set(pattern.entities.map((name) => name.split('.')[0]))
  // Those it returns come first; a parameter may be an attribute of another that shares the partition.
  const near = all.filter(({ table }) => table.id === place.table.id)
  const entities = [...near.filter(({ name }) => owners.has(name)), ...near.filter(({ name }) => !owners.has(name))]
  const planner = new QueryPlanner(pattern, place.table, place.tableName, place.index, entities)
  const reader = new KindReader({
    modelName,
    where: `The pattern ${pattern.name}`,
    table: place.table,
    index: place.index,
    entities: all,
    expected: pattern.entities,
  })
  // The compiler cannot compare texts, so that for literal bounds its types have every kind of the place.
  const names = pattern.sort?.kind === 'between' ? reader.names() : pattern.entities
  const query = new PatternQuery(connection, pattern, planner, reader, names)
  const call = (parameters?: PlainItem, options?: QueryOptions): Promise<Page> =>
    query.page(parameters ?? {}, options ?? {})
  return Object.assign(call, {
    pages: (parameters?: PlainItem, options?: QueryOptions) => query.pages(parameters ?? {}, options ?? {}),
    iterate: (parameters?: PlainItem, options?: QueryOptions) => query.entries(parameters ?? {}, options ?? {}),
    explain: (parameters?: PlainItem, options?: QueryOptions) => query.explain(parameters ?? {}, options ?? {}),
  })
}

class PatternQuery {
  readonly #connection: Connection
  readonly #pattern: PatternDescription
  readonly #planner: QueryPlanner
  readonly #reader: KindReader
  readonly #names: readonly string[]

  constructor(
    connection: Connection,
    pattern: PatternDescription,
    planner: QueryPlanner,
    reader: KindReader,
    names: readonly string[],
  ) {
    this.#names = names
    this.#connection = connection
    this.#pattern = pattern
    this.#planner = planner
    this.#reader = reader
  }

  async page(parameters: PlainItem, options: QueryOptions): Promise<Page> {
    const plan = this.#planOf(parameters, options)
    const positions = await this.#positionsOf(plan, options.cursor)
    const meter = new Meter()
    const { items, next } = await this.#read(plan, positions, options, meter)
    return this.#pageOf(items, await this.#cursorOf(plan, next), meter)
  }

  /** Each page in turn, until there are no more. */
  async *pages(parameters: PlainItem, options: QueryOptions): AsyncGenerator<Page> {
    const plan = this.#planOf(parameters, options)
    let positions: readonly Position[] | undefined = await this.#positionsOf(plan, options.cursor)
    while (positions !== undefined) {
      const meter = new Meter()
      const { items, next } = await this.#read(plan, positions, options, meter)
      yield this.#pageOf(items, await this.#cursorOf(plan, next), meter)
      positions = next
    }
  }

  /** Each item in turn, page after page. */
  async *entries(parameters: PlainItem, options: QueryOptions): AsyncGenerator<Entry> {
    for await (const page of this.pages(parameters, options)) yield* page.entries
  }

  explain(parameters: PlainItem, options: QueryOptions): readonly Request[] {
    if (options.cursor !== undefined) {
      throw new ModelError('INVALID_VALUE', 'explain() only shows the first page. Leave the cursor out.')
    }
    const plan = this.#planOf(parameters, options)
    const connection = this.#connection
    const positions = plan.inputs.map((): Position => 'start')
    return plan.inputs.map((_, shard) => ({
      operation: this.#operation,
      input: partInput({ connection, plan, positions }, shard, options.limit ?? this.#pattern.limit),
    }))
  }

  get #operation(): 'Query' | 'Scan' {
    return this.#pattern.operation === 'Scan' ? 'Scan' : 'Query'
  }

  #planOf(parameters: PlainItem, options: QueryOptions): QueryPlan {
    return this.#planner.plan(parameters, options.consistent ?? this.#pattern.isConsistent)
  }

  #read(
    plan: QueryPlan,
    positions: readonly Position[],
    options: QueryOptions,
    meter: Meter,
  ): ReturnType<typeof readPage> {
    const limit = options.limit ?? this.#pattern.limit
    const request: PageRequest = {
      connection: this.#connection,
      meter,
      operation: this.#operation,
      plan,
      positions,
      limit,
      signal: options.signal,
    }
    if (plan.inputs.length === 1) return readPage(request)
    const { sortAttributes, positionAttributes } = this.#planner
    return readShards(request, {
      sortAttributes,
      positionAttributes,
      isDescending: this.#pattern.order === 'descending',
    })
  }

  #pageOf(stored: readonly StoredItem[], cursor: string | undefined, meter: Meter): Page {
    const entries: Entry[] = []
    for (const item of stored) {
      const entry = this.#reader.read(item)
      if (entry !== undefined) entries.push(entry)
    }
    return new Page(this.#names, entries, cursor, meter.cost())
  }

  async #cursorOf(plan: QueryPlan, next: readonly Position[] | undefined): Promise<string | undefined> {
    if (next === undefined) return undefined
    return this.#connection.cursors.write(next, this.#planner.positionAttributes, this.#tieOf(plan))
  }

  async #positionsOf(plan: QueryPlan, cursor: string | undefined): Promise<readonly Position[]> {
    if (cursor === undefined) return plan.inputs.map(() => 'start')
    const { positionAttributes } = this.#planner
    return this.#connection.cursors.read(cursor, positionAttributes, plan.inputs.length, this.#tieOf(plan))
  }

  /** What a cursor must not be moved between: patterns, and their parameters. */
  #tieOf(plan: QueryPlan): string {
    const [first] = plan.inputs
    return JSON.stringify([
      this.#pattern.name,
      this.#pattern.order,
      ...Object.values(first?.ExpressionAttributeValues ?? {}),
    ])
  }
}
