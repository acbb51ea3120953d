import type {
  IndexDescription,
  KeyAttributeDescription,
  PatternDescription,
  TableDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { Position } from './cursor.ts'
import type { PlainItem, StoredItem } from './entity-runtime.ts'
import { KindReader } from './kind-reader.ts'
import { QueryPlanner } from './query-plan.ts'
import type { QueryPlan, Segment } from './query-plan.ts'
import { partInput, readPage } from './read-page.ts'
import type { PageRequest } from './read-page.ts'
import { bucketName, bucketPlace, bucketPositions } from './bucket-cursor.ts'
import { readBuckets } from './read-buckets.ts'
import { readShards } from './read-shards.ts'

export interface QueryOptions {
  /** Where the page before ended. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Of a scan: the part that this reader reads, such as `{ index: 0, of: 4 }`. */
  readonly segment?: Segment | undefined
}

/** As it is called: the compiler knows what can be selected. */
type CallOptions = QueryOptions & { readonly select?: readonly string[] | undefined }

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
    skipsUnknown: connection.skipsUnknown,
  })
  // The compiler cannot compare texts, so that for literal bounds its types have every kind of the place.
  const names = pattern.sort?.kind === 'between' ? reader.names() : pattern.entities
  const query = new PatternQuery(connection, pattern, planner, reader, names)
  const call = (parameters?: PlainItem, options?: CallOptions): Promise<Page> =>
    query.page(parameters ?? {}, options ?? {})
  return Object.assign(call, {
    pages: (parameters?: PlainItem, options?: CallOptions) => query.pages(parameters ?? {}, options ?? {}),
    iterate: (parameters?: PlainItem, options?: CallOptions) => query.entries(parameters ?? {}, options ?? {}),
    explain: (parameters?: PlainItem, options?: CallOptions) => query.explain(parameters ?? {}, options ?? {}),
    ...(pattern.action === 'scan' && {
      parallel: (segments: number, options?: CallOptions) => query.parallel(segments, options ?? {}),
    }),
  })
}

interface NextPage {
  readonly reader: AsyncGenerator<Page>
  readonly result: IteratorResult<Page>
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

  async page(parameters: PlainItem, options: CallOptions): Promise<Page> {
    const plan = this.#planOf(parameters, options)
    const positions = await this.#positionsOf(plan, options.cursor)
    const meter = new Meter()
    const { items, next } = await this.#read(plan, positions, options, meter)
    return this.#pageOf(items, await this.#cursorOf(plan, next), meter, options)
  }

  /** Each page in turn, until there are no more. */
  async *pages(parameters: PlainItem, options: CallOptions): AsyncGenerator<Page> {
    const plan = this.#planOf(parameters, options)
    let positions: readonly Position[] | undefined = await this.#positionsOf(plan, options.cursor)
    while (positions !== undefined) {
      const meter = new Meter()
      const { items, next } = await this.#read(plan, positions, options, meter)
      yield this.#pageOf(items, await this.#cursorOf(plan, next), meter, options)
      positions = next
    }
  }

  /** Each item in turn, page after page. */
  async *entries(parameters: PlainItem, options: CallOptions): AsyncGenerator<Entry> {
    for await (const page of this.pages(parameters, options)) yield* page.entries
  }

  /** Each item in turn, from several segments at once. One page of each is read ahead, and no more. */
  async *parallel(segments: number, options: CallOptions): AsyncGenerator<Entry> {
    if (!Number.isInteger(segments) || segments < 1 || segments > 1_000_000) {
      throw new ModelError('INVALID_VALUE', `The number of segments must be from 1 to 1000000, not ${segments}.`)
    }
    const readers = Array.from({ length: segments }, (_, index) =>
      this.pages({}, { ...options, segment: { index, of: segments } }),
    )
    const waiting = new Map(readers.map((reader) => [reader, this.#next(reader)]))
    try {
      while (waiting.size > 0) {
        const { reader, result } = await Promise.race(waiting.values())
        if (result.done === true) {
          waiting.delete(reader)
          continue
        }
        waiting.set(reader, this.#next(reader))
        yield* result.value.entries
      }
    } finally {
      // Whoever stops early does not wait for what is under way, and is not told of its failure.
      for (const next of waiting.values()) next.catch(() => undefined)
    }
  }

  async #next(reader: AsyncGenerator<Page>): Promise<NextPage> {
    return { reader, result: await reader.next() }
  }

  explain(parameters: PlainItem, options: CallOptions): readonly Request[] {
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

  #planOf(parameters: PlainItem, options: CallOptions): QueryPlan {
    const { consistent, select, segment } = options
    if (segment !== undefined && this.#operation === 'Query') {
      throw new ModelError('INVALID_VALUE', `${this.#pattern.name} is a query. Only scans have segments.`)
    }
    return this.#planner.plan(parameters, {
      isConsistent: consistent ?? this.#pattern.isConsistent,
      select,
      segment,
      now: this.#connection.context.now,
    })
  }

  #read(
    plan: QueryPlan,
    positions: readonly Position[],
    options: CallOptions,
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
    if (plan.buckets !== undefined) return readBuckets(request)
    if (plan.inputs.length === 1) return readPage(request)
    const { sortAttributes, positionAttributes } = this.#planner
    return readShards(request, {
      sortAttributes,
      positionAttributes,
      isDescending: this.#pattern.order === 'descending',
    })
  }

  #pageOf(stored: readonly StoredItem[], cursor: string | undefined, meter: Meter, { select }: CallOptions): Page {
    const only = select === undefined ? undefined : new Set(select)
    const entries: Entry[] = []
    for (const item of stored) {
      const entry = this.#reader.read(item, only)
      if (entry !== undefined) entries.push(entry)
    }
    return new Page(this.#names, entries, cursor, meter.cost())
  }

  async #cursorOf(plan: QueryPlan, next: readonly Position[] | undefined): Promise<string | undefined> {
    if (next === undefined) return undefined
    if (plan.buckets !== undefined) {
      const place = bucketPlace(plan.buckets, next)
      return this.#connection.cursors.write([place], this.#bucketAttributes, this.#tieOf(plan))
    }
    return this.#connection.cursors.write(next, this.#planner.positionAttributes, this.#tieOf(plan))
  }

  async #positionsOf(plan: QueryPlan, cursor: string | undefined): Promise<readonly Position[]> {
    if (cursor === undefined) return plan.inputs.map(() => 'start')
    if (plan.buckets !== undefined) {
      const read = await this.#connection.cursors.read(cursor, this.#bucketAttributes, 1, this.#tieOf(plan))
      return bucketPositions(plan.buckets, read[0])
    }
    const { positionAttributes } = this.#planner
    return this.#connection.cursors.read(cursor, positionAttributes, plan.inputs.length, this.#tieOf(plan))
  }

  get #bucketAttributes(): readonly KeyAttributeDescription[] {
    return [{ name: bucketName, type: 'S' }, ...this.#planner.positionAttributes]
  }

  /** What a cursor must not be moved between: patterns, and their parameters. */
  #tieOf(plan: QueryPlan): string {
    // The latest of several periods may be another by now; the oldest is not.
    const isLast = plan.buckets !== undefined && this.#pattern.order === 'descending'
    const first = plan.inputs.at(isLast ? -1 : 0)
    return JSON.stringify([
      this.#pattern.name,
      this.#pattern.order,
      ...Object.values(first?.ExpressionAttributeValues ?? {}),
      ...(first !== undefined && 'Segment' in first ? [first.Segment, first.TotalSegments] : []),
    ])
  }
}
