import { validationException } from '../errors.ts'
import type { Condition, KeyTerm } from '../expressions/syntax.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { equalValues } from '../values/compare-values.ts'
import { conditionOf, equalitiesOf, keyTermOf } from './key-term.ts'

/** The key of what is read: tables, and the indexes that statements can read, have one attribute of each kind. */
export interface ReadKey {
  readonly hash: string
  readonly range: string | undefined
}

/** One read of a partition, or of a part of it. */
export interface KeyedRead {
  readonly hashValue: AttributeValue
  /** All of them hold for what is to be read. */
  readonly rangeTerms: readonly KeyTerm[]
  /** Further conditions. */
  readonly filter: Condition | undefined
  /** All conditions. */
  readonly condition: Condition
  /** Whether a second value of the partition key is required as well, so that nothing can match. */
  readonly contradictory: boolean
}

/** How a WHERE clause is executed: by reading partitions if each of its alternatives names one, otherwise by a scan. */
export type ReadPlan =
  | { readonly kind: 'scan'; readonly filter: Condition | undefined }
  | { readonly kind: 'reads'; readonly reads: readonly KeyedRead[] }

/** How many reads one statement may need. */
const greatestReadCount = 50

export function planReads(where: Condition | undefined, key: ReadKey): ReadPlan {
  if (where === undefined || !namesPartition(where, key)) return { kind: 'scan', filter: where }
  if (readCount(where, key) > greatestReadCount) {
    throw validationException('Too many decomposed read operations for a given query.')
  }
  return { kind: 'reads', reads: alternatives(where, key).map((terms) => readOf(terms, key)) }
}

/** Whether every alternative of the condition names the partition. */
function namesPartition(condition: Condition, key: ReadKey): boolean {
  if (condition.kind === 'and') return condition.terms.some((term) => namesPartition(term, key))
  if (condition.kind === 'or') {
    return condition.terms.length > 0 && condition.terms.every((term) => namesPartition(term, key))
  }
  const [first] = equalitiesOf(condition) ?? []
  const term = first ?? keyTermOf(condition)
  return term?.attribute === key.hash && term.operator === '='
}

/** The number of alternatives, computed without expanding them. */
function readCount(condition: Condition, key: ReadKey): number {
  if (condition.kind === 'and') {
    return condition.terms.reduce((count, term) => count * readCount(term, key), 1)
  }
  if (isAlternative(condition, key)) {
    return condition.terms.reduce((count, term) => count + readCount(term, key), 0)
  }
  return keyEqualities(condition, key)?.length ?? 1
}

/** The conjunctions that a condition is the disjunction of. Only what concerns the key is expanded. */
function alternatives(condition: Condition, key: ReadKey): readonly Condition[][] {
  if (condition.kind === 'and') {
    let combined: Condition[][] = [[]]
    for (const term of condition.terms) combined = combine(combined, alternatives(term, key))
    return combined
  }
  if (isAlternative(condition, key)) return condition.terms.flatMap((term) => alternatives(term, key))
  return keyEqualities(condition, key)?.map((term) => [conditionOf(term)]) ?? [[condition]]
}

/** Every one with every other. Most terms have no alternatives, and are appended in place. */
function combine(combined: Condition[][], further: readonly Condition[][]): Condition[][] {
  const [only] = further
  if (only === undefined || further.length > 1) {
    return combined.flatMap((terms) => further.map((more) => [...terms, ...more]))
  }
  for (const terms of combined) terms.push(...only)
  return combined
}

function isAlternative(condition: Condition, key: ReadKey): condition is Condition & { readonly kind: 'or' } {
  return condition.kind === 'or' && concernsKey(condition, key)
}

function concernsKey(condition: Condition, key: ReadKey): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') {
    return condition.terms.some((term) => concernsKey(term, key))
  }
  return keyEqualities(condition, key) !== undefined || isOfKey(keyTermOf(condition), key)
}

function keyEqualities(condition: Condition, key: ReadKey): readonly KeyTerm[] | undefined {
  const terms = equalitiesOf(condition)
  return isOfKey(terms?.[0], key) ? terms : undefined
}

function isOfKey(term: KeyTerm | undefined, key: ReadKey): boolean {
  return term !== undefined && (term.attribute === key.hash || term.attribute === key.range)
}

function readOf(terms: readonly Condition[], key: ReadKey): KeyedRead {
  let hashValue: AttributeValue | undefined
  let contradictory = false
  const rangeTerms: KeyTerm[] = []
  const rest: Condition[] = []
  for (const condition of terms) {
    const term = keyTermOf(condition)
    const [value] = term?.values ?? []
    if (term?.attribute === key.hash && term.operator === '=' && value !== undefined) {
      if (hashValue === undefined) hashValue = value
      if (equalValues(hashValue, value)) continue
      contradictory = true
    } else if (term !== undefined && term.attribute === key.range) {
      if (!rangeTerms.some((known) => sameTerm(known, term))) rangeTerms.push(term)
      continue
    }
    rest.push(condition)
  }
  if (hashValue === undefined) throw new Error('every alternative names its partition')
  const [only] = rest
  const filter: Condition | undefined = rest.length > 1 ? { kind: 'and', terms: rest } : only
  return { hashValue, rangeTerms, filter, condition: { kind: 'and', terms }, contradictory }
}

function sameTerm(one: KeyTerm, other: KeyTerm): boolean {
  return (
    one.operator === other.operator &&
    one.values.every((value, position) => {
      const counterpart = other.values[position]
      return counterpart !== undefined && equalValues(value, counterpart)
    })
  )
}
