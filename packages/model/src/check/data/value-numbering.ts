import type { AttributeDescription, EntityDescription, ModelDescription } from '../../description.ts'
import { distinctValuesOf, isCollection } from '../cardinality.ts'
import { attributeOf, holesOf } from '../model-index.ts'
import { mix, type Random } from '../random.ts'
import { homeOf, parentOf, type EntityPlan } from './plan-data.ts'

/** Items that are generated later continue counting from here, so that they are not among the earlier ones. */
export const firstOther = 100_000

/** Which item is being generated. */
export interface Position {
  readonly partition: number
  /** Within the partition. */
  readonly n: number
  /** Among all items of the entity. */
  readonly serial: number
}

/** What a numbering may use. */
export interface NumberingContext {
  readonly random: Random
  /** At least 0, below 1: where evenly spread values begin. */
  readonly offset: number
  /** How much of an entity is generated; undefined while that is being planned. */
  readonly planOf: (entity: EntityDescription) => EntityPlan | undefined
}

/** Which of an attribute's values an item has. */
export type Numbering = (at: Position, context: NumberingContext) => number

/** Decides how the values of an attribute are numbered: this determines which items share a partition and which refer
 *  to each other. */
export function numberingOf(
  model: ModelDescription,
  entity: EntityDescription,
  attribute: AttributeDescription,
): Numbering {
  const { partition, sort } = entity.key
  const holes = holesOf([partition])
  const place = holes.indexOf(attribute.name)
  if (place !== -1) {
    const bases = holes.map((hole) => distinctValuesOf(attributeOf(entity, hole)))
    return (at) => digitOf(at.partition, place, bases)
  }
  const isSort = sort !== undefined && holesOf([sort]).includes(attribute.name)
  const home = homeOf(model, attribute.name)
  if (home !== undefined && home.name !== entity.name && attribute.type !== 'iso') return referenceTo(home, isSort)
  const distinct = distinctValuesOf(attribute)
  const parent = isSort ? parentOf(model, entity, attribute.name) : undefined
  if (parent !== undefined && !Number.isFinite(distinct)) return below(entity, parent, isIdentifier(attribute))
  if (isSort) {
    if (Number.isFinite(distinct)) return (at) => at.n % distinct
    return isIdentifier(attribute) ? (at) => at.serial : (at) => at.n
  }
  if (Number.isFinite(distinct)) {
    const stride = strideOf(attribute.name)
    // Evenly spread, so that even few items have the right mix.
    return (at, { offset }) => Math.floor(((at.serial * stride + offset) % 1) * distinct)
  }
  if (isGrouping(entity, attribute.name)) return (at) => Math.floor(at.serial / 10)
  const isSerial = isIdentifier(attribute) || attribute.type === 'iso' || attribute.type === 'set'
  return isSerial ? (at) => at.serial : (_at, { random }) => random.below(100_000)
}

/** Within a collection each item refers to another; elsewhere some are referred to more often. */
function referenceTo(home: EntityDescription, isSort: boolean): Numbering {
  const pool = ({ planOf }: NumberingContext): number => planOf(home)?.partitions ?? 40
  if (!isSort) return (_at, context) => context.random.skewedBelow(pool(context))
  return (at, context) =>
    at.n >= firstOther ? at.n : (at.partition * 7 + at.n) % Math.max(pool(context), at.n + 1)
}

/** Items below others in their partition, like tracks below an album, share their part of the sort key. */
function below(entity: EntityDescription, parent: EntityDescription, isSerial: boolean): Numbering {
  return (at, { planOf }) => {
    const [own, plan] = [planOf(entity), planOf(parent)]
    if (own === undefined || plan === undefined || at.n >= firstOther) return isSerial ? at.serial : at.n
    const siblings = Math.max(1, Math.round(own.perPartition / plan.perPartition))
    const parents = at.partition === 0 ? plan.inLargest : plan.perPartition
    const n = Math.min(parents - 1, Math.floor(at.n / siblings))
    if (!isSerial) return n
    return at.partition === 0 ? n : plan.inLargest + (at.partition - 1) * plan.perPartition + n
  }
}

function isIdentifier({ type }: AttributeDescription): boolean {
  return type === 'ulid' || type === 'uuid' || type === 'string'
}

/** Whether the attribute is the partition key of an index that has many items for each value. */
function isGrouping({ satellites, indexKeys }: EntityDescription, attribute: string): boolean {
  const isUnique = satellites.some(({ kind, attributes }) => kind === 'unique' && attributes.includes(attribute))
  return (
    !isUnique &&
    indexKeys.some((key) => holesOf(key.partition).includes(attribute) && isCollection(key.sort, key.partition))
  )
}

/** Each attribute has its own stride, so that they do not move in step. */
function strideOf(attribute: string): number {
  let hash = 0
  for (let i = 0; i < attribute.length; i++) hash = mix(hash + attribute.charCodeAt(i) + 1)
  return 0.381_966 + (hash / 0x1_0000_0000) * 0.236_068
}

/** The digit at `place` of `n` in the mixed base of the holes; a hole with unlimited values takes all that is left. */
function digitOf(n: number, place: number, bases: readonly number[]): number {
  let rest = n
  for (let i = bases.length - 1; i > place; i--) {
    const base = bases[i] ?? 1
    if (Number.isFinite(base)) rest = Math.floor(rest / base)
  }
  const base = bases[place] ?? 1
  return Number.isFinite(base) ? rest % base : rest
}
