import type { Comparator } from '../expressions/syntax.ts'
import { functionKeywords } from './keywords.ts'
import { parseSelect } from './parse-select.ts'
import { malformed } from './statement-errors.ts'
import type { Expression, PathExpression, PathPart } from './syntax.ts'
import type { TokenReader } from './token-reader.ts'
import type { Position, Token } from './tokens.ts'
import { isTypeName } from './type-names.ts'

/** How deep expressions may nest. The service's own limit of 32 for values is checked later, when they are read. */
const nestingLevels = 128

const comparators: ReadonlySet<string> = new Set<Comparator>(['=', '<>', '<', '<=', '>', '>='])

const precedences: Readonly<Record<string, number>> = {
  union: 5,
  except: 5,
  intersect: 5,
  or: 10,
  and: 20,
  not: 30,
  '=': 40,
  '<>': 40,
  is: 40,
  in: 40,
  '<': 50,
  '<=': 50,
  '>': 50,
  '>=': 50,
  between: 50,
  like: 50,
  '+': 60,
  '-': 60,
  '||': 60,
  '*': 70,
  '/': 70,
  '%': 70,
}

const unaryPrecedence = 80

/** Reads one expression: an operand, and operators as long as they bind more tightly than `above`. */
export function parseExpression(reader: TokenReader, depth = 0, above = 0): Expression {
  return new ExpressionParser(reader).expression(depth, above)
}

/** A path that has to begin with a name, as the targets of statements and of changes have to. */
export function parseSimplePath(reader: TokenReader): PathExpression {
  if (!reader.isName) throw malformed('Expected identifier for simple path')
  return new ExpressionParser(reader).path(0)
}

class ExpressionParser {
  readonly #reader: TokenReader

  constructor(reader: TokenReader) {
    this.#reader = reader
  }

  /** Recursion is bounded by `nestingLevels`; what stands side by side is read in a loop. */
  expression(depth: number, above: number): Expression {
    if (depth > nestingLevels) throw malformed('Expression is nested too deeply')
    let left = this.#operand(depth)
    /** The terms of the AND or OR that is being read: those of a long chain become one list. */
    let chain: { readonly operator: string; readonly terms: Expression[] } | undefined
    for (;;) {
      const { operator, negated, precedence } = this.#operatorAhead()
      if (operator === undefined || precedence <= above) return left
      const token = this.#reader.take()
      if (negated) this.#reader.take()
      if (operator === 'and' || operator === 'or') {
        const term = this.#rightSide(depth, precedence)
        if (chain?.operator === operator) {
          chain.terms.push(term)
        } else {
          const terms = [left, term]
          chain = { operator, terms }
          left = { kind: operator, terms }
        }
        continue
      }
      chain = undefined
      left = this.#combined(operator, left, depth, precedence, token)
      if (negated) left = { kind: 'not', term: left }
    }
  }

  path(depth: number): PathExpression {
    const head = this.#reader.take()
    const parts: PathPart[] = [{ kind: 'name', name: head.text }]
    for (;;) {
      if (this.#reader.accept('punctuation', '.')) parts.push(this.#dotPart())
      else if (this.#reader.accept('punctuation', '[')) parts.push(this.#indexPart(depth))
      else return { kind: 'path', parts, at: head.at }
    }
  }

  #dotPart(): PathPart {
    if (this.#reader.isName) return { kind: 'name', name: this.#reader.take().text }
    if (this.#reader.isAt('operator', '*')) return { kind: 'unexpected', at: this.#reader.take().at }
    throw malformed('Invalid path dot component')
  }

  #indexPart(depth: number): PathPart {
    const { at } = this.#reader.current
    if (this.#reader.accept('operator', '*')) {
      this.#reader.expect('punctuation', ']')
      return { kind: 'unexpected', at }
    }
    const index = this.expression(depth + 1, 0)
    this.#reader.expect('punctuation', ']')
    return index.kind === 'number' ? { kind: 'index', text: index.text, at: index.at } : { kind: 'unexpected', at }
  }

  /** The operator that comes next, which may be two words: `NOT IN`. */
  #operatorAhead(): { operator: string | undefined; negated: boolean; precedence: number } {
    const { kind, text } = this.#reader.current
    if (kind !== 'operator') return { operator: undefined, negated: false, precedence: 0 }
    const second = this.#reader.ahead(1)
    const negated = text === 'not' && second.kind === 'operator' && negatable.has(second.text)
    const operator = negated ? second.text : text
    if (operator === 'not') return { operator: undefined, negated: false, precedence: 0 }
    return { operator, negated, precedence: precedences[operator] ?? 0 }
  }

  #combined(operator: string, left: Expression, depth: number, precedence: number, token: Token): Expression {
    if (operator === 'is') return this.#is(left)
    if (operator === 'between') {
      const lower = this.#rightSide(depth, precedence)
      if (!this.#reader.accept('operator', 'and')) throw malformed('Expected AND after BETWEEN')
      return { kind: 'between', operand: left, lower, upper: this.#rightSide(depth, precedence) }
    }
    const right = this.#rightSide(depth, precedence)
    if (operator === 'in') return { kind: 'in', operand: left, candidates: right }
    if (isComparator(operator)) return { kind: 'compare', operator, left, right }
    return { kind: 'operation', operator, operands: [left, right], at: token.at }
  }

  #is(operand: Expression): Expression {
    const negated = this.#reader.accept('operator', 'not')
    const typeName = this.#typeName()
    const condition: Expression = { kind: 'is', operand, typeName }
    return negated ? { kind: 'not', term: condition } : condition
  }

  #typeName(): string {
    const { text, at } = this.#reader.take()
    const name = text.toLowerCase()
    const second = this.#reader.current.text
    if ((name === 'double' && second === 'precision') || (name === 'character' && second === 'varying')) {
      this.#reader.take()
      return `${name} ${second}`
    }
    if (!isTypeName(name)) throw malformed('Expected type name', at)
    return name
  }

  #rightSide(depth: number, above: number): Expression {
    if (this.#reader.current.kind === 'end') {
      throw malformed('Missing right-hand side expression of infix operator')
    }
    return this.expression(depth + 1, above)
  }

  #operand(depth: number): Expression {
    const { kind, text } = this.#reader.current
    switch (kind) {
      case 'word':
      case 'quoted':
        if (kind === 'word' && isOpenParenthesis(this.#reader.ahead(1))) return this.#call(depth)
        return this.path(depth)
      case 'keyword':
        if (functionKeywords.has(text) && isOpenParenthesis(this.#reader.ahead(1))) return this.#call(depth)
        return this.#keyword(depth)
      case 'operator':
        return this.#unary(depth)
      case 'string':
      case 'number': {
        const token = this.#reader.take()
        return { kind, text: token.text, at: token.at }
      }
      case 'parameter':
        return { kind, index: this.#reader.nextParameter(), at: this.#reader.take().at }
      case 'punctuation':
        return this.#punctuation(depth)
      case 'end':
        throw malformed('Unexpected term')
    }
  }

  #keyword(depth: number): Expression {
    const { text, at } = this.#reader.current
    switch (text) {
      case 'true':
      case 'false':
        this.#reader.take()
        return { kind: 'boolean', value: text === 'true', at }
      case 'null':
      case 'missing':
        this.#reader.take()
        return { kind: text, at }
      case 'select':
        return { kind: 'select', select: parseSelect(this.#reader, parseExpression, depth + 1), at }
      case 'from':
        // A statement may begin with FROM, and so may, for the parser, an operand: `SLECT * FROM "t"`.
        throw malformed('Expected data manipulation')
      default:
        throw malformed('Unexpected keyword')
    }
  }

  /** Signs before a number are part of it. */
  #unary(depth: number): Expression {
    const { text, at } = this.#reader.current
    if (text === 'not') {
      this.#reader.take()
      return { kind: 'not', term: this.expression(depth + 1, precedences['not'] ?? 0) }
    }
    if (text !== '-' && text !== '+') throw malformed('Unexpected operator')
    this.#reader.take()
    const operand = this.expression(depth + 1, unaryPrecedence)
    if (operand.kind !== 'number') return { kind: 'operation', operator: text, operands: [operand], at }
    if (text === '+') return operand
    const negated = operand.text.startsWith('-') ? operand.text.slice(1) : `-${operand.text}`
    return { kind: 'number', text: negated, at: operand.at }
  }

  #punctuation(depth: number): Expression {
    const { text, at } = this.#reader.current
    switch (text) {
      case '(':
        return this.#parenthesised(depth, at)
      case '[':
        this.#reader.take()
        return { kind: 'list', elements: this.#expressionsUntil(']', depth), at }
      case '<<':
        this.#reader.take()
        return { kind: 'bag', elements: this.#expressionsUntil('>>', depth), at }
      case '{':
        this.#reader.take()
        return { kind: 'tuple', entries: this.#entries(depth), at }
      default:
        throw malformed('Unexpected term')
    }
  }

  /** Several expressions in parentheses are a list. */
  #parenthesised(depth: number, at: Position): Expression {
    this.#reader.take()
    const elements = this.#expressionsUntil(')', depth)
    const [only] = elements
    if (only === undefined) throw malformed('Unexpected term', at)
    return elements.length === 1 ? only : { kind: 'list', elements, at }
  }

  #expressionsUntil(end: string, depth: number): readonly Expression[] {
    const expressions: Expression[] = []
    if (this.#reader.accept('punctuation', end)) return expressions
    do expressions.push(this.expression(depth + 1, 0))
    while (this.#reader.accept('punctuation', ','))
    this.#reader.expect('punctuation', end)
    return expressions
  }

  #entries(depth: number): readonly (readonly [Expression, Expression])[] {
    const entries: (readonly [Expression, Expression])[] = []
    if (this.#reader.accept('punctuation', '}')) return entries
    do {
      const name = this.expression(depth + 1, 0)
      this.#reader.expect('punctuation', ':')
      entries.push([name, this.expression(depth + 1, 0)])
    } while (this.#reader.accept('punctuation', ','))
    this.#reader.expect('punctuation', '}')
    return entries
  }

  #call(depth: number): Expression {
    const { text, at } = this.#reader.take()
    this.#reader.take()
    const name = text.toLowerCase()
    const star = this.#reader.current
    if (name === 'count' && this.#reader.accept('operator', '*')) {
      this.#reader.expect('punctuation', ')')
      return { kind: 'call', name, operands: [{ kind: 'star', at: star.at }], at }
    }
    return { kind: 'call', name, operands: this.#expressionsUntil(')', depth), at }
  }
}

const negatable: ReadonlySet<string> = new Set(['in', 'between', 'like'])

function isComparator(operator: string): operator is Comparator {
  return comparators.has(operator)
}

function isOpenParenthesis(token: Token): boolean {
  return token.kind === 'punctuation' && token.text === '('
}
