import type { ServiceError } from '../errors.ts'
import { limits } from '../limits.ts'
import { invalidExpression, redundantParentheses, tooManyOperators } from './invalid-expression.ts'
import type { ParsedCall, ParsedOperand, ParsedPart, ParsedPath } from './parse-tree.ts'
import type { ExpressionKind, PathSegment } from './syntax.ts'
import type { Token, TokenKind } from './tokens.ts'
import { tokenize } from './tokens.ts'

/** No expression within the limits nests deeper: every pair of parentheses that is not redundant needs an operator of
 *  its own. The limit protects the stack from whatever a client sends. */
const nestingBound = 3 * limits.expressionOperators

/** The contents of a parenthesis, until it is known that the enclosing one contains something else as well. */
export interface Group<T> {
  readonly kind: 'group'
  readonly inner: T
}

/** Reads what every expression language shares: tokens, document paths, function calls and operands. */
export class ExpressionReader {
  readonly kind: ExpressionKind
  readonly #text: string
  readonly #tokens: readonly Token[]
  #position = 0
  #operators = 0
  #nesting = 0

  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind
    this.#text = text
    this.#tokens = tokenize(text)
  }

  get next(): TokenKind {
    return this.#tokenAt(this.#position).kind
  }

  take(): Token {
    return this.#tokenAt(this.#position++)
  }

  accept(kind: TokenKind): boolean {
    if (this.next !== kind) return false
    this.#position++
    return true
  }

  expect(kind: TokenKind): Token {
    if (this.next !== kind) throw this.unexpected()
    return this.take()
  }

  /** The service names the token it could not go on with, and shows its neighbours. */
  unexpected(): ServiceError {
    const token = this.#tokenAt(this.#position)
    const from = this.#position > 0 ? this.#tokenAt(this.#position - 1).start : 0
    const to = this.#tokenAt(this.#position + 1).end
    const near = this.#text.slice(from, to)
    return invalidExpression(this.kind, `Syntax error; token: "${token.text}", near: "${near}"`)
  }

  countOperator(): void {
    this.#operators++
  }

  /** Only a text that parses is rejected for having too many operators. */
  assertOperatorCount(): void {
    const most = limits.expressionOperators
    if (this.#operators > most) throw tooManyOperators(this.kind, most + 1)
  }

  /** Reads `( inner )`. Double parentheses are rejected as soon as they close, before any error further on. */
  group<T extends { readonly kind: string }>(readInner: () => T | Group<T>): Group<T> {
    this.expect('(')
    if (++this.#nesting > nestingBound) throw redundantParentheses(this.kind)
    const inner = readInner()
    this.expect(')')
    this.#nesting--
    if (isGroup(inner)) throw redundantParentheses(this.kind)
    return { kind: 'group', inner }
  }

  /** An operand where nothing else is allowed, with or without parentheses. */
  operand(): ParsedOperand {
    const operand = this.#operandOrGroup()
    return operand.kind === 'group' ? operand.inner : operand
  }

  /** An operand that does not begin with a parenthesis. */
  bareOperand(): ParsedOperand {
    if (this.next === 'placeholder') return { kind: 'placeholder', placeholder: this.take().text }
    if (this.next === 'word' && this.#tokenAt(this.#position + 1).kind === '(') return this.#call()
    return this.path()
  }

  path(): ParsedPath {
    const parts: ParsedPart[] = [this.#name()]
    for (;;) {
      if (this.accept('.')) {
        parts.push(this.#name())
      } else if (this.accept('[')) {
        const { text } = this.expect('integer')
        this.expect(']')
        parts.push({ kind: 'index', index: Number(text), text })
      } else {
        return { kind: 'path', parts, fixed: fixedPath(parts) }
      }
    }
  }

  #operandOrGroup(): ParsedOperand | Group<ParsedOperand> {
    if (this.next !== '(') return this.bareOperand()
    return this.group<ParsedOperand>(() => this.#operandOrGroup())
  }

  #call(): ParsedCall {
    const name = this.take().text
    this.countOperator()
    this.expect('(')
    if (++this.#nesting > nestingBound) throw tooManyOperators(this.kind, limits.expressionOperators + 1)
    const operands = [this.operand()]
    while (this.accept(',')) operands.push(this.operand())
    this.expect(')')
    this.#nesting--
    return { kind: 'call', name, operands }
  }

  #name(): ParsedPart {
    if (this.next === 'word') return { kind: 'name', name: this.take().text }
    return { kind: 'alias', alias: this.expect('alias').text }
  }

  #tokenAt(position: number): Token {
    const token = this.#tokens[Math.min(position, this.#tokens.length - 1)]
    if (token === undefined) throw new Error('a token list ends with its end')
    return token
  }
}

function isGroup<T extends { readonly kind: string }>(node: T | Group<T>): node is Group<T> {
  return node.kind === 'group'
}

function fixedPath(parts: readonly ParsedPart[]): readonly PathSegment[] | undefined {
  const segments: PathSegment[] = []
  for (const part of parts) {
    if (part.kind === 'alias') return undefined
    segments.push(part.kind === 'name' ? part : { kind: 'index', index: part.index })
  }
  return segments
}
