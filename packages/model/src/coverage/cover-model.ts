import type {
  EntityDescription,
  ModelDescription,
  PatternAction,
  PatternDescription,
  TableDescription,
} from '../description.ts'
import { kindOfKey, type KindOfKey } from './kind-of-key.ts'
import type { NamedItem, RecordedCall, RecordedRead } from './recorded-call.ts'

export interface Coverage {
  readonly model: string
  /** Of the first and of the last call on the model's tables. */
  readonly fromMs: number
  readonly toMs: number
  readonly calls: number
  readonly patterns: readonly PatternCoverage[]
  /** Calls that no pattern makes, most frequent first. */
  readonly uncovered: readonly UncoveredCalls[]
}

export interface PatternCoverage {
  readonly pattern: string
  /** Calls that can only have been this pattern. */
  readonly calls: number
  /** Calls that may also have been others: a log does not say which partition a query read. */
  readonly sharedCalls: number
  /** With whom it shares them. */
  readonly sharedWith: readonly string[]
  /** Calls a second, those that are shared divided evenly. */
  readonly rate: number
  readonly declaredRate?: number | undefined
}

export interface UncoveredCalls {
  readonly what: string
  readonly calls: number
}

/** Which patterns of a model a log shows in use, and which calls belong to none. `tables` are the names of the model's tables where
 *  the log was written, by their id. */
export function coverModel(
  model: ModelDescription,
  calls: readonly RecordedCall[],
  tables: Readonly<Record<string, string>> = {},
): Coverage {
  const byName = new Map(model.tables.map((table) => [tables[table.id] ?? table.name, table]))
  const counts = new Map(
    model.patterns.map(({ name }) => [name, { calls: 0, shared: 0, weight: 0, withOthers: new Set<string>() }]),
  )
  const uncovered = new Map<string, number>()
  const times: number[] = []
  for (const call of calls) {
    const names = [call.read?.table, ...call.items.map((item) => item.table)]
    if (!names.some((name) => name !== undefined && byName.has(name))) continue
    times.push(call.atMs)
    const found = patternsFor(model, byName, call)
    if (found.patterns.length === 0 && !found.isKnown) {
      uncovered.set(found.what, (uncovered.get(found.what) ?? 0) + 1)
    }
    for (const { name } of found.patterns) {
      const count = counts.get(name)
      if (count === undefined) continue
      count.weight += 1 / found.patterns.length
      if (found.patterns.length === 1) count.calls++
      else {
        count.shared++
        for (const other of found.patterns) if (other.name !== name) count.withOthers.add(other.name)
      }
    }
  }
  const fromMs = Math.min(...times)
  const toMs = Math.max(...times)
  const seconds = times.length === 0 ? 1 : Math.max(1, (toMs - fromMs) / 1000)
  return {
    model: model.name,
    fromMs: times.length === 0 ? 0 : fromMs,
    toMs: times.length === 0 ? 0 : toMs,
    calls: times.length,
    patterns: model.patterns.map(({ name, traffic }) => {
      const count = counts.get(name)
      return {
        pattern: name,
        calls: count?.calls ?? 0,
        sharedCalls: count?.shared ?? 0,
        sharedWith: [...(count?.withOthers ?? [])],
        rate: (count?.weight ?? 0) / seconds,
        ...(traffic.rate !== undefined && { declaredRate: traffic.rate }),
      }
    }),
    uncovered: [...uncovered]
      .map(([what, amount]) => ({ what, calls: amount }))
      .toSorted((a, b) => b.calls - a.calls),
  }
}

interface Found {
  readonly patterns: readonly PatternDescription[]
  /** Whether the library itself makes such a call for one of its patterns. */
  readonly isKnown: boolean
  readonly what: string
}

type Tables = ReadonlyMap<string, TableDescription>

function patternsFor(model: ModelDescription, tables: Tables, call: RecordedCall): Found {
  if (call.read !== undefined) return readPatterns(model, tables, call.operation, call.read)
  const items = call.items.map((item) => ({ item, kind: kindOf(model, tables, item) }))
  const names = [...new Set(items.map(({ item, kind }) => kindName(item, kind)))]
  const what = `${call.operation} of ${names.join(', ') || 'a statement'}`
  const inModel = (patterns: readonly PatternDescription[], isKnown = false): Found => ({ patterns, isKnown, what })
  if (items.length === 0 || items.some(({ kind }) => kind === undefined)) return inModel([])
  const entities = new Set(items.flatMap(({ kind }) => (kind === undefined ? [] : [kind.entity.name])))
  const main = items.filter(({ kind }) => kind?.satellite === undefined)
  switch (call.operation) {
    case 'GetItem':
      return getPatterns(model, items[0]?.kind, what)
    case 'BatchGetItem':
    case 'TransactGetItems': {
      const action = call.operation === 'BatchGetItem' ? 'batchGet' : 'transactGet'
      return inModel(
        model.patterns.filter(
          (pattern) => pattern.action === action && [...entities].every((name) => pattern.entities.includes(name)),
        ),
      )
    }
    case 'TransactWriteItems': {
      const [only] = main
      const single =
        main.length === 1 && entities.size === 1 && only !== undefined ? writes(model, only.item, only.kind) : []
      const together = model.patterns.filter(
        (pattern) =>
          pattern.action === 'transact' &&
          main.every(({ item, kind }) =>
            pattern.steps?.some((step) => step.entity === kind?.entity.name && isStep(step.action, item)),
          ),
      )
      // Guards are kept in a transaction of their own, which is the write of their owner.
      return inModel(
        single.length > 0 && items.length > main.length ? single : together.length > 0 ? together : single,
      )
    }
    default:
      return inModel(main.flatMap(({ item, kind }) => writes(model, item, kind)))
  }
}

function readPatterns(model: ModelDescription, tables: Tables, operation: string, read: RecordedRead): Found {
  const place = read.index === undefined ? read.table : `${read.table}, index ${read.index}`
  const order = read.isDescending ? ', descending' : ''
  const table = tables.get(read.table)
  const index = table?.indexes.find(({ name }) => name === read.index)
  const isOneKey = read.sort === 'none' && read.equalities > (index?.partitionKeys.length ?? 1)
  const sort = isOneKey ? 'equals' : read.sort
  const form = { none: 'of a partition', equals: 'of one sort key', prefix: 'by prefix', range: 'of a range' }[sort]
  const what = operation === 'Scan' ? `Scan of ${place}` : `Query ${form} in ${place}${order}`
  const patterns = model.patterns.filter((pattern) => {
    if (pattern.operation !== operation || pattern.table !== table?.id) return false
    if (operation === 'Scan') return pattern.index === read.index
    if (pattern.via !== undefined) return read.index === undefined && sort === 'none'
    return (
      pattern.index === read.index &&
      (pattern.order === 'descending') === read.isDescending &&
      (pattern.filter !== undefined) === read.hasFilter &&
      sortsOf(pattern).includes(sort)
    )
  })
  return { patterns, isKnown: false, what }
}

/** The forms that the condition of a query can have. */
function sortsOf({ sort }: PatternDescription): readonly (RecordedRead['sort'] | 'equals')[] {
  if (sort === undefined) return ['none']
  if (sort.kind === 'between') return ['range']
  if (sort.kind === 'range') return ['none', 'equals', 'prefix', 'range']
  const isNative = sort.templates.some((template) => template.isNative)
  return sort.kind === 'equals' || isNative ? ['equals'] : ['prefix']
}

function getPatterns(model: ModelDescription, kind: KindOfKey | undefined, what: string): Found {
  if (kind === undefined) return { patterns: [], isKnown: false, what }
  const { entity, satellite } = kind
  const of = (action: PatternAction): readonly PatternDescription[] =>
    model.patterns.filter((pattern) => pattern.action === action && pattern.entities[0] === entity.name)
  if (satellite !== undefined) {
    const patterns = of('lookup').filter(({ via }) => via === satellite)
    return { patterns, isKnown: readsFirst(model, entity), what }
  }
  // A lookup ends with a get, and some writes begin with one.
  return { patterns: of('get'), isKnown: of('lookup').length > 0 || readsFirst(model, entity), what }
}

/** Whether a write of the entity reads before it writes. */
function readsFirst({ patterns }: ModelDescription, entity: EntityDescription): boolean {
  return patterns.some(
    ({ action, entities, steps }) =>
      (entities.includes(entity.name) &&
        (action === 'modify' || (entity.satellites.length > 0 && isWrite(action)))) ||
      steps?.some((step) => step.entity === entity.name && step.action === 'modify') === true,
  )
}

function isWrite(action: PatternAction): boolean {
  return ['put', 'update', 'upsert', 'delete', 'transact'].includes(action)
}

/** The patterns that make such a write of one item. */
function writes(
  { patterns }: ModelDescription,
  item: NamedItem,
  kind: KindOfKey | undefined,
): readonly PatternDescription[] {
  if (kind === undefined || kind.satellite !== undefined) return []
  const { entity } = kind
  const own = patterns.filter(
    (pattern) =>
      pattern.action !== 'transact' && pattern.entities[0] === entity.name && isStep(pattern.action, item),
  )
  // An update belongs to the patterns that declare all that it changes, or, if there are none, to those that do not say.
  const changed = item.names.filter((name) => isOwn(entity, name))
  const declared = own.filter(
    ({ changes }) => changes !== undefined && changed.every((name) => changes.includes(name)),
  )
  return declared.length > 0 ? declared : own.filter(({ changes }) => changes === undefined)
}

/** Whether a caller changes the attribute, rather than the library. */
function isOwn({ attributes }: EntityDescription, name: string): boolean {
  const attribute = attributes.find((each) => each.name === name)
  return (
    attribute !== undefined &&
    attribute.type !== 'version' &&
    attribute.computedFrom === undefined &&
    attribute.isSetOnWrite !== true &&
    attribute.shard === undefined
  )
}

function isStep(action: string, { action: done, isConditionalOnAbsence }: NamedItem): boolean {
  if (done === 'put') return action === 'put' || (isConditionalOnAbsence && action === 'create')
  if (done === 'update') return action === 'update' || action === 'modify' || action === 'upsert'
  return action === done
}

function kindOf(model: ModelDescription, tables: Tables, { table, key }: NamedItem): KindOfKey | undefined {
  const described = tables.get(table)
  return described === undefined ? undefined : kindOfKey(model, described, key)
}

function kindName({ table }: NamedItem, kind: KindOfKey | undefined): string {
  return kind === undefined ? `an unknown item in ${table}` : (kind.satellite ?? kind.entity.name)
}
