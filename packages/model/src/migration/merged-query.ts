import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyAttributeDescription, PatternDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import type { Connection, Cost, Request } from '../client/connection.ts'
import { Meter } from '../client/connection.ts'
import type { PlainItem } from '../client/entity-runtime.ts'
import { partInput } from '../client/read-page.ts'
import type { QueryOptions } from '../client/query-function.ts'
import { compareOrder, readRound } from './merged-parts.ts'
import type { Entry, Part } from './merged-parts.ts'
import type { PartReader } from './part-reader.ts'

type CallOptions = QueryOptions & { readonly select?: readonly string[] | undefined }

interface Page {
  readonly items: Readonly<Record<string, readonly PlainItem[]>>
  readonly entries: readonly { readonly entity: string; readonly item: PlainItem }[]
  readonly cursor: string | undefined
  readonly cost: Cost
}

/** Where a merged query goes on: after the floor, without those that were returned already. */
interface Start {
  readonly floor: Pick<Entry, 'order' | 'position'> | undefined
  readonly seen: ReadonlySet<string>
  /** The sort key of those: what has come before it since then is not returned any more. */
  readonly last: Entry['order'] | undefined
}

/** A page of one partition, if no limit says otherwise. */
const usualLimit = 100
/** Where a cursor keeps what was returned already; no attribute can have this name. */
const seenName = ''

/** The function of a query whose items can have two forms: one order, one cursor, each item once. */
export function mergedQueryFunction(
  connection: Connection,
  pattern: PatternDescription,
  reader: PartReader,
): object {
  const query = new MergedQuery(connection, pattern, reader)
  const call = (parameters: PlainItem = {}, options: CallOptions = {}): Promise<Page> =>
    query.page(parameters, options)
  return Object.assign(call, {
    pages: (parameters: PlainItem = {}, options: CallOptions = {}) => query.pages(parameters, options),
    iterate: (parameters: PlainItem = {}, options: CallOptions = {}) => query.entries(parameters, options),
    explain: (parameters: PlainItem = {}, options: CallOptions = {}) => query.explain(parameters, options),
  })
}

class MergedQuery {
  readonly #connection: Connection
  readonly #pattern: PatternDescription
  readonly #reader: PartReader

  constructor(connection: Connection, pattern: PatternDescription, reader: PartReader) {
    this.#connection = connection
    this.#pattern = pattern
    this.#reader = reader
  }

  async page(parameters: PlainItem, options: CallOptions): Promise<Page> {
    const parts = this.#reader.parts(parameters, options)
    const meter = new Meter()
    const { entries, next } = await this.#read(parts, await this.#startOf(parts, options.cursor), options, meter)
    return this.#pageOf(entries, next && (await this.#cursorOf(parts, next)), meter, options)
  }

  async *pages(parameters: PlainItem, options: CallOptions): AsyncGenerator<Page> {
    let { cursor } = options
    do {
      const page = await this.page(parameters, { ...options, cursor })
      yield page
      cursor = page.cursor
    } while (cursor !== undefined)
  }

  async *entries(parameters: PlainItem, options: CallOptions): AsyncGenerator<Page['entries'][number]> {
    for await (const page of this.pages(parameters, options)) yield* page.entries
  }

  explain(parameters: PlainItem, options: CallOptions): readonly Request[] {
    const limit = options.limit ?? this.#pattern.limit
    return this.#reader.parts(parameters, options).map(({ plan, number, isWhole }) => ({
      operation: 'Query',
      input: partInput(
        { connection: this.#connection, plan, positions: plan.inputs.map(() => 'start') },
        number,
        isWhole ? undefined : partLimit(limit),
      ),
    }))
  }

  async #read(
    parts: readonly Part[],
    start: Start,
    options: CallOptions,
    meter: Meter,
  ): Promise<{ readonly entries: readonly Entry[]; readonly next: Start | undefined }> {
    const limit = options.limit ?? this.#pattern.limit
    const isDescending = this.#pattern.order === 'descending'
    const taken: Entry[] = []
    let { floor, seen, last } = start
    for (;;) {
      const round = await readRound({
        connection: this.#connection,
        meter,
        parts,
        floor,
        limit: partLimit(limit),
        isDescending,
        signal: options.signal,
      })
      const isNext = ({ id, order }: Entry): boolean =>
        !seen.has(id) && (last === undefined || compareOrder(order, last, isDescending) >= 0)
      const fresh = round.entries.filter(isNext)
      const some = limit === undefined ? fresh : fresh.slice(0, limit - taken.length)
      taken.push(...some)
      if (round.isOver && some.length === fresh.length) return { entries: taken, next: undefined }
      const isCut = some.length < fresh.length
      // What is not cut off is complete, with all that has the same sort key.
      const returned = isCut ? round.entries.slice(0, round.entries.indexOf(fresh[some.length] as Entry)) : []
      const before: Start = { floor, seen, last }
      const next = isCut ? after(returned, before, isDescending) : afterAll(round.entries, before)
      ;({ floor, seen, last } = next)
      if (limit === undefined ? taken.length > 0 : taken.length >= limit) return { entries: taken, next }
    }
  }

  #pageOf(entries: readonly Entry[], cursor: string | undefined, meter: Meter, { select }: CallOptions): Page {
    const only = select === undefined ? undefined : new Set(select)
    const decoded = entries.map((entry) => ({ entity: entry.entity, item: this.#reader.decode(entry, only) }))
    const items: Record<string, PlainItem[]> = Object.fromEntries(
      this.#pattern.entities.map((name): [string, PlainItem[]] => [name, []]),
    )
    for (const { entity, item } of decoded) items[entity]?.push(item)
    return { items, entries: decoded, cursor, cost: meter.cost() }
  }

  async #cursorOf(parts: readonly Part[], { floor, seen, last }: Start): Promise<string> {
    const text = JSON.stringify([[...seen], last?.map(packed)])
    const position = { ...floor?.position, [seenName]: { S: text } }
    return this.#connection.cursors.write([position], this.#attributes, this.#tieOf(parts))
  }

  async #startOf(parts: readonly Part[], cursor: string | undefined): Promise<Start> {
    if (cursor === undefined) return { floor: undefined, seen: new Set(), last: undefined }
    const [read] = await this.#connection.cursors.read(cursor, this.#attributes, 1, this.#tieOf(parts))
    if (typeof read !== 'object') throw new ModelError('INVALID_CURSOR', 'Start again without a cursor.')
    const { [seenName]: seen, ...position } = read
    const order = this.#reader.sortNames.map((name) => position[name])
    return {
      floor: Object.keys(position).length === 0 ? undefined : { order, position },
      ...unpacked(seen?.S ?? ''),
    }
  }

  get #attributes(): readonly KeyAttributeDescription[] {
    return [{ name: seenName, type: 'S' }, ...this.#reader.positionAttributes]
  }

  #tieOf(parts: readonly Part[]): string {
    const first = parts.find(({ isOld }) => !isOld)?.plan.inputs[0]
    return JSON.stringify(['merged', this.#pattern.name, ...Object.values(first?.ExpressionAttributeValues ?? {})])
  }
}

/** After a page that was not cut off. */
function afterAll(entries: readonly Entry[], start: Start): Start {
  const floor = entries.at(-1)
  return floor === undefined ? start : { floor, seen: new Set(), last: undefined }
}

/** The floor is the last item with another sort key than the last one returned: of those with the same sort key, some may not
 *  have been returned yet. */
function after(returned: readonly Entry[], start: Start, isDescending: boolean): Start {
  const end = returned.at(-1)
  if (end === undefined) return start
  const isBefore = (entry: Entry): boolean => compareOrder(entry.order, end.order, isDescending) < 0
  const level = returned.filter((entry) => !isBefore(entry)).map(({ id }) => id)
  return { floor: returned.findLast(isBefore) ?? start.floor, seen: new Set(level), last: end.order }
}

function packed(value: AttributeValue | undefined): readonly (string | number)[] {
  if (value?.S !== undefined) return ['S', value.S]
  return value?.N === undefined ? [...(value?.B ?? [])] : ['N', value.N]
}

/** What a cursor holds besides the floor. Whoever changes it only harms their own answer. */
function unpacked(text: string): Pick<Start, 'seen' | 'last'> {
  const read: unknown = parsed(text)
  const [seen, last] = Array.isArray(read) ? (read as readonly unknown[]) : []
  return {
    seen: new Set(Array.isArray(seen) ? seen.map(String) : []),
    last: Array.isArray(last) ? last.map(valueOf) : undefined,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ModelError('INVALID_CURSOR', 'The cursor is damaged. Start again without a cursor.', { cause })
  }
}

function valueOf(packedValue: unknown): AttributeValue | undefined {
  if (!Array.isArray(packedValue)) return undefined
  const [type, text] = packedValue as readonly unknown[]
  if (type === 'S') return { S: String(text) }
  return type === 'N' ? { N: String(text) } : { B: Uint8Array.from(packedValue as number[]) }
}

/** Two at least: what lies before the end of a page is certain, its end is not. */
function partLimit(limit: number | undefined): number {
  return limit === undefined ? usualLimit : Math.min(Math.max(limit + 1, 2), usualLimit)
}
