import {
  conditionPaths,
  validationException,
  type AttributeValue,
  type Condition,
  type Projection,
} from '@hashrange/core'
import {
  planReads,
  selectColumns,
  type OrderTerm,
  type ReadKey,
  type SelectedColumn,
} from '@hashrange/core/partiql'
import type { Table } from '../catalog/table.ts'
import { checkKeyPaths } from '../expressions/check-key-paths.ts'
import { projectedNames } from '../items/index-entry.ts'
import { namesOf } from '../definitions/key-names.ts'
import { segmentRange } from '../layout/key-space.ts'
import { selectionOf, type Selection } from '../reads/select.ts'
import type { Source } from '../reads/source.ts'
import type { Range } from '../store/store.ts'
import { javaHashOrder } from '../tables/java-hash-order.ts'
import type { PreparedSelect } from './prepared-statement.ts'
import { inOrder, rangeReads, type RangeRead } from './range-reads.ts'
import { readKeyOf, statementSource } from './statement-source.ts'

/** One range that a SELECT reads. */
export interface PlannedRead {
  readonly range: Range
  readonly filter: Condition | undefined
  /** Whether there is at most one item to find. */
  readonly single: boolean
  /** The values of the partition key; undefined if all are read. */
  readonly partition: readonly AttributeValue[] | undefined
}

export interface SelectPlan {
  readonly source: Source
  /** None for `*`. */
  readonly columns: readonly SelectedColumn[] | undefined
  readonly selection: Selection
  /** To be run one after the other. */
  readonly reads: readonly PlannedRead[]
  readonly consistent: boolean
}

/** How a SELECT is executed: as one or more Queries if its WHERE clause names partitions, otherwise as a Scan. */
export function planSelect(table: Table, statement: PreparedSelect, consistent: boolean): SelectPlan {
  const { select, where, indexName } = statement
  const source = statementSource(table, indexName, consistent)
  const columns = selectColumns(select)
  const selection = selectionOf(source, undefined, columns && projectionOfColumns(columns))
  checkKeyPaths(table, columns?.map(({ path }) => path) ?? [])
  if (where !== undefined) checkKeyPaths(table, conditionPaths(where))
  const plan = planReads(where, readKeyOf(source))
  if (plan.kind === 'scan') {
    if (select.orderBy.length > 0) checkOrder(select.orderBy, source, where, [])
    const range = segmentRange(source.space, source.id, 0, 1)
    const whole = { range, filter: where, single: false, partition: undefined }
    return { source, columns, selection, reads: [whole], consistent }
  }
  const unordered = rangeReads(source, plan.reads)
  if (select.orderBy.length > 0) checkOrder(select.orderBy, source, where, unordered)
  const { byHash, reverse } = orderOf(select.orderBy, readKeyOf(source))
  const reads = inOrder(unordered, byHash, reverse)
  assertFilterIsProjected(source, reads[0])
  return {
    source,
    columns,
    selection,
    reads: reads.map(({ range, filter, single, hashValue }) => ({
      range: { ...range, reverse },
      filter,
      single,
      partition: [hashValue],
    })),
    consistent,
  }
}

function projectionOfColumns(columns: readonly SelectedColumn[]): Projection {
  // The columns decide what is returned; only the paths of the projection matter here.
  return { paths: columns.map(({ path }) => path), root: { names: new Map(), indexes: [] } }
}

function checkOrder(
  orderBy: readonly OrderTerm[],
  source: Source,
  where: Condition | undefined,
  reads: readonly RangeRead[],
): void {
  if (where === undefined) {
    throw validationException('Must have WHERE clause in the statement when using ORDER BY clause.')
  }
  const names = orderBy.map(orderedName)
  const keyNames = namesOf(source.keySchema)
  const other = names.find((name) => !keyNames.includes(name))
  if (other !== undefined) {
    throw validationException(`Attribute ${other} in ORDER BY clause must be part of the primary key`)
  }
  if (reads.length === 0) {
    throw validationException(
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
  }
  const partitions = new Set(reads.map(({ hashValue }) => JSON.stringify(hashValue)))
  if (partitions.size > 1 && !names.includes(readKeyOf(source).hash)) {
    throw validationException(
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    )
  }
}

/** The first mention of each key attribute counts. An ORDER BY without the sort key makes it descend, as in the
 *  service. */
function orderOf(
  orderBy: readonly OrderTerm[],
  key: ReadKey,
): { byHash: 'ascending' | 'descending' | undefined; reverse: boolean } {
  if (orderBy.length === 0) return { byHash: undefined, reverse: false }
  const hash = orderBy.find((term) => orderedName(term) === key.hash)
  const range = orderBy.find((term) => orderedName(term) === key.range)
  return {
    byHash: hash && (hash.descending ? 'descending' : 'ascending'),
    reverse: range?.descending ?? true,
  }
}

function orderedName({ expression }: OrderTerm): string {
  const [head, ...below] = expression.kind === 'path' ? expression.parts : []
  if (head?.kind === 'name' && below.length === 0) return head.name
  throw validationException('Argument to ORDER BY must be an attribute')
}

/** A Query of an index cannot filter by what the index does not contain. The service only checks the first read. */
function assertFilterIsProjected({ table, index }: Source, read: RangeRead | undefined): void {
  const held = index && projectedNames(table.definition, index)
  if (index === undefined || held === undefined || read?.filter === undefined || read.contradictory) return
  const heads = conditionPaths(read.filter).flatMap(([head]) => (head?.kind === 'name' ? [head.name] : []))
  const missing = javaHashOrder(heads.filter((name) => !held.includes(name)))
  if (missing.length === 0) return
  throw validationException(
    `One or more parameter values were invalid: Secondary index ${index.indexName} does not project one or more filter attributes: [${missing.join(', ')}]`,
  )
}
