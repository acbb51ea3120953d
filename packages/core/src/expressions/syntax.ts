import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'

/** The trees that expressions and their legacy forms become when placeholders are resolved. Code that evaluates them
 *  can rely on them: depth, operand counts and operand types were checked before. */

export type PathSegment =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'index'; readonly index: number }

/** A document path such as `a.b[3]`. Its first segment is always a name. */
export type Path = readonly PathSegment[]

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

export type PathOperand = { readonly kind: 'path'; readonly path: Path }
export type ValueOperand = { readonly kind: 'value'; readonly value: AttributeValue }

export type Operand = PathOperand | ValueOperand | { readonly kind: 'size'; readonly operand: Operand }

export type Condition =
  | { readonly kind: 'and'; readonly terms: readonly Condition[] }
  | { readonly kind: 'or'; readonly terms: readonly Condition[] }
  | { readonly kind: 'not'; readonly term: Condition }
  | {
      readonly kind: 'compare'
      readonly operator: Comparator
      readonly left: Operand
      readonly right: Operand
    }
  | { readonly kind: 'between'; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly candidates: readonly Operand[] }
  | { readonly kind: 'attribute_exists'; readonly path: Path }
  | { readonly kind: 'attribute_not_exists'; readonly path: Path }
  | { readonly kind: 'attribute_type'; readonly operand: Operand; readonly type: AttributeType }
  | { readonly kind: 'begins_with'; readonly operand: Operand; readonly prefix: Operand }
  | { readonly kind: 'contains'; readonly operand: Operand; readonly sought: Operand }

/** The parts of a projection below one name or index; a leaf selects all that is there. */
export interface ProjectionNode {
  readonly names: ReadonlyMap<string, ProjectionNode>
  /** In ascending order of the index, which is the order of the answer. */
  readonly indexes: readonly (readonly [index: number, node: ProjectionNode])[]
}

export interface Projection {
  readonly paths: readonly Path[]
  readonly root: ProjectionNode
}

export type UpdateOperand =
  | PathOperand
  | ValueOperand
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-'
      readonly left: UpdateOperand
      readonly right: UpdateOperand
    }
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: UpdateOperand }
  | { readonly kind: 'list_append'; readonly first: UpdateOperand; readonly second: UpdateOperand }

export type UpdateAction =
  | { readonly kind: 'set'; readonly path: Path; readonly value: UpdateOperand }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add'; readonly path: Path; readonly value: AttributeValue }
  | { readonly kind: 'delete'; readonly path: Path; readonly value: AttributeValue }

export interface Update {
  /** The request member that contains it: some errors have a different message for the legacy form. */
  readonly origin: 'UpdateExpression' | 'AttributeUpdates'
  readonly actions: readonly UpdateAction[]
}

export type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with'

/** One condition of a Query on one key attribute. BETWEEN has two values, every other operator one. */
export interface KeyTerm {
  readonly attribute: string
  readonly operator: KeyOperator
  readonly values: readonly AttributeValue[]
}

/** A condition as a Query states it. KeyConditions may have operators that cannot be used on keys; this is only
 *  reported once the key is known. */
export interface AskedTerm extends Omit<KeyTerm, 'operator'> {
  readonly operator: KeyOperator | undefined
}

export type ConditionKind =
  'ConditionExpression' | 'FilterExpression' | 'KeyConditionExpression' | 'SearchConditionExpression'
/** A `Statement` is a PartiQL statement, which the service rejects with the same messages. */
export type ExpressionKind = ConditionKind | 'ProjectionExpression' | 'UpdateExpression' | 'Statement'

/** How the service writes a path in its messages: `[a, b, [3]]`. */
export function pathText(path: Path): string {
  const parts = path.map((segment) => (segment.kind === 'name' ? segment.name : `[${segment.index}]`))
  return `[${parts.join(', ')}]`
}

/** The top-level attribute that a path begins at. */
export function pathHead(path: Path): string {
  const head = path[0]
  if (head?.kind !== 'name') throw new Error('a document path begins with a name')
  return head.name
}
