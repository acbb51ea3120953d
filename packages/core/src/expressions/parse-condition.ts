import type { Group } from './expression-reader.ts'
import { ExpressionReader } from './expression-reader.ts'
import type { ParsedCondition, ParsedOperand } from './parse-tree.ts'
import type { Comparator, ConditionKind } from './syntax.ts'
import type { TokenKind } from './tokens.ts'

/** Parses a condition. OR binds weakest, then AND, then NOT. Parentheses may contain a condition or an operand, and
 *  only their contents show which: `(a) = :v`, `(a = :v)`. */
export function parseCondition(kind: ConditionKind, text: string): ParsedCondition {
  const parser = new ConditionParser(new ExpressionReader(kind, text))
  return parser.parse()
}

type Node = ParsedCondition | ParsedOperand | Group<ParsedCondition | ParsedOperand>

const comparators: ReadonlyMap<TokenKind, Comparator> = new Map(
  (['=', '<>', '<', '<=', '>', '>='] as const).map((comparator) => [comparator, comparator]),
)

class ConditionParser {
  readonly #reader: ExpressionReader

  constructor(reader: ExpressionReader) {
    this.#reader = reader
  }

  parse(): ParsedCondition {
    const condition = this.#condition(this.#or())
    this.#reader.expect('end')
    this.#reader.assertOperatorCount()
    return condition
  }

  /** `first` is a term that has been read already. */
  #or(first: Node = this.#not()): Node {
    const left = this.#and(first)
    if (this.#reader.next !== 'OR') return left
    const terms = [this.#condition(left)]
    while (this.#reader.accept('OR')) {
      this.#reader.countOperator()
      terms.push(this.#condition(this.#and(this.#not())))
    }
    return { kind: 'or', terms }
  }

  #and(first: Node): Node {
    if (this.#reader.next !== 'AND') return first
    const terms = [this.#condition(first)]
    while (this.#reader.accept('AND')) {
      this.#reader.countOperator()
      terms.push(this.#condition(this.#not()))
    }
    return { kind: 'and', terms }
  }

  /** A sequence of NOTs is counted instead of using recursion: four thousand bytes can contain a thousand of them. */
  #not(): Node {
    let negations = 0
    while (this.#reader.accept('NOT')) {
      this.#reader.countOperator()
      negations++
    }
    const term = this.#comparison(this.#operandOrGroup())
    if (negations === 0) return term
    let negated = this.#condition(term)
    for (; negations > 0; negations--) negated = { kind: 'not', term: negated }
    return negated
  }

  #operandOrGroup(): Node {
    if (this.#reader.next !== '(') return this.#reader.bareOperand()
    return this.#reader.group<ParsedCondition | ParsedOperand>(() => this.#insideParentheses())
  }

  /** If the whole content is another group, the reader refuses it as redundant. */
  #insideParentheses(): Node {
    if (this.#reader.next === 'NOT') return this.#or()
    const first = this.#operandOrGroup()
    return this.#reader.next === ')' ? first : this.#or(this.#comparison(first))
  }

  /** Goes on from a first operand. A function can be a condition by itself; a path or a value cannot. */
  #comparison(first: Node): Node {
    const operand = operandIn(first)
    if (operand === undefined) return first
    const reader = this.#reader
    const operator = comparators.get(reader.next)
    if (operator !== undefined) {
      this.#takeOperator()
      return { kind: 'compare', operator, left: operand, right: reader.operand() }
    }
    if (reader.next === 'BETWEEN') {
      this.#takeOperator()
      const lower = reader.operand()
      reader.expect('AND')
      return { kind: 'between', operand, lower, upper: reader.operand() }
    }
    if (reader.next === 'IN') {
      this.#takeOperator()
      reader.expect('(')
      const candidates = [reader.operand()]
      while (reader.accept(',')) candidates.push(reader.operand())
      reader.expect(')')
      return { kind: 'in', operand, candidates }
    }
    if (operand.kind === 'call') return first
    throw reader.unexpected()
  }

  #takeOperator(): void {
    this.#reader.countOperator()
    this.#reader.take()
  }

  #condition(node: Node): ParsedCondition {
    const bare = node.kind === 'group' ? node.inner : node
    if (bare.kind === 'path' || bare.kind === 'placeholder') throw this.#reader.unexpected()
    return bare
  }
}

/** The operand that a node is, if it can be one. */
function operandIn(node: Node): ParsedOperand | undefined {
  const bare = node.kind === 'group' ? node.inner : node
  return bare.kind === 'path' || bare.kind === 'placeholder' || bare.kind === 'call' ? bare : undefined
}
