import type { AttributeValue } from '@hashrange/core'
import { readAttributeValue } from './attribute-values.ts'
import { CborReader } from './cbor-reader.ts'
import { malformed } from './malformed.ts'
import type { DocumentPath } from './projections.ts'

/** Clients parse expressions, and send them as lists: an operator's number and its operands. They become text here again, so that
 *  the engine reads, checks and rejects them as it does all others. */

const comparators = ['=', '<>', '<', '>=', '>', '<=']
const and = 6
const or = 7
const not = 8
const between = 9
const within = 10
const variable = 17
const documentPath = 18
const functions: Readonly<Record<number, string>> = {
  11: 'attribute_exists',
  12: 'attribute_not_exists',
  13: 'attribute_type',
  14: 'begins_with',
  15: 'contains',
  16: 'size',
  23: 'if_not_exists',
  24: 'list_append',
}
const actions: Readonly<Record<number, string>> = { 19: 'SET', 20: 'ADD', 21: 'DELETE', 22: 'REMOVE' }
const plus = 25
const minus = 26
const ordinalTag = 3324

type Expression =
  | { readonly kind: 'call'; readonly operator: number; readonly operands: readonly Expression[] }
  | { readonly kind: 'list'; readonly members: readonly Expression[] }
  | { readonly kind: 'path'; readonly path: DocumentPath }
  | { readonly kind: 'variable'; readonly index: number }

/** The expressions of one request, with the names and values that they share. */
export class RequestExpressions {
  readonly #names = new Map<string, string>()
  readonly #values: Record<string, AttributeValue> = {}
  #valueCount = 0

  /** The text of a condition, filter or key condition. */
  condition(bytes: Buffer): string {
    const { expression, values } = readExpression(bytes)
    return this.#text(expression, this.#keep(values), 0)
  }

  update(bytes: Buffer): string {
    const { expression, values } = readExpression(bytes)
    const variables = this.#keep(values)
    if (expression.kind !== 'list') throw malformed('an update has no actions')
    const clauses = new Map<string, string[]>()
    for (const action of expression.members) {
      const word = action.kind === 'call' ? actions[action.operator] : undefined
      if (action.kind !== 'call' || word === undefined) throw malformed('an update has an unknown action')
      const operands = action.operands.map((operand) => this.#text(operand, variables, 0))
      clauses.set(word, [...(clauses.get(word) ?? []), operands.join(word === 'SET' ? ' = ' : ' ')])
    }
    return [...clauses].map(([word, parts]) => `${word} ${parts.join(', ')}`).join(' ')
  }

  /** Names by which the engine reads whole attributes. */
  attributes(names: readonly string[]): string {
    return names.map((name) => this.#name(name)).join(', ')
  }

  /** What the expressions need in the request. */
  members(): Readonly<Record<string, unknown>> {
    const names = Object.fromEntries([...this.#names].map(([name, placeholder]) => [placeholder, name]))
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#valueCount > 0 && { ExpressionAttributeValues: this.#values }),
    }
  }

  #keep(values: readonly AttributeValue[]): readonly string[] {
    return values.map((value) => {
      const placeholder = `:${(this.#valueCount++).toString(36)}`
      this.#values[placeholder] = value
      return placeholder
    })
  }

  #name(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const placeholder = `#${this.#names.size.toString(36)}`
    this.#names.set(name, placeholder)
    return placeholder
  }

  #text(expression: Expression, variables: readonly string[], strength: number): string {
    switch (expression.kind) {
      case 'path':
        return this.#path(expression.path)
      case 'variable':
        return variables[expression.index] ?? missingVariable()
      case 'list':
        return expression.members.map((member) => this.#text(member, variables, 0)).join(', ')
      case 'call':
        return this.#call(expression.operator, expression.operands, variables, strength)
    }
  }

  /** Brackets only where they change the meaning: their number is limited. */
  #call(
    operator: number,
    operands: readonly Expression[],
    variables: readonly string[],
    outerStrength: number,
  ): string {
    const at = (index: number, strength = 0): string => {
      const operand = operands[index]
      if (operand === undefined) throw malformed('an operand is missing')
      return this.#text(operand, variables, strength)
    }
    const bracketed = (text: string, strength: number): string => (strength < outerStrength ? `(${text})` : text)
    const comparator = comparators[operator]
    if (comparator !== undefined) return bracketed(`${at(0, 5)} ${comparator} ${at(1, 5)}`, 4)
    if (operator === or) return bracketed(`${at(0, 1)} OR ${at(1, 2)}`, 1)
    if (operator === and) return bracketed(`${at(0, 2)} AND ${at(1, 3)}`, 2)
    if (operator === not) return bracketed(`NOT ${at(0, 4)}`, 3)
    if (operator === between) return bracketed(`${at(0, 5)} BETWEEN ${at(1, 5)} AND ${at(2, 5)}`, 4)
    if (operator === within) return bracketed(`${at(0, 5)} IN (${at(1)})`, 4)
    if (operator === plus) return `${at(0)} + ${at(1)}`
    if (operator === minus) return `${at(0)} - ${at(1)}`
    const name = functions[operator]
    if (name === undefined) throw malformed('an expression has an unknown operator')
    return `${name}(${operands.map((_, index) => at(index)).join(', ')})`
  }

  #path(path: DocumentPath): string {
    let text = ''
    for (const part of path) {
      if (typeof part === 'number') text += `[${part}]`
      else text += `${text === '' ? '' : '.'}${this.#name(part)}`
    }
    return text
  }
}

export function readProjection(bytes: Buffer): readonly DocumentPath[] {
  const { expression } = readExpression(bytes)
  if (expression.kind !== 'list') throw malformed('a projection is not a list of paths')
  return expression.members.map((member) => {
    if (member.kind !== 'path') throw malformed('a projection is not a list of paths')
    return member.path
  })
}

interface ReadExpression {
  readonly expression: Expression
  readonly values: readonly AttributeValue[]
}

function readExpression(bytes: Buffer): ReadExpression {
  const reader = new CborReader(bytes)
  const length = reader.listLength()
  if (length < 2 || length > 3 || reader.integer() !== 1) throw malformed('an expression has an unknown format')
  const expression = readPart(reader)
  const values: AttributeValue[] = []
  if (length === 3) reader.list(() => values.push(readAttributeValue(reader)))
  return { expression, values }
}

/** A list that begins with a number is an operator with its operands; one that begins with a list has no operator. */
function readPart(reader: CborReader): Expression {
  const operands: Expression[] = []
  let operator: number | undefined
  let path: (string | number)[] | undefined
  let index: number | undefined
  reader.list((position) => {
    if (position === 0 && reader.major === 0) {
      operator = reader.integer()
      if (operator === documentPath) path = []
    } else if (path !== undefined) path.push(readPathPart(reader))
    else if (operator === variable) index = reader.integer()
    else operands.push(readPart(reader))
  })
  if (path !== undefined) return pathOf(path)
  if (operator === undefined) return { kind: 'list', members: operands }
  if (operator !== variable) return { kind: 'call', operator, operands }
  return index === undefined ? missingVariable() : { kind: 'variable', index }
}

function pathOf(path: DocumentPath): Expression {
  if (typeof path[0] !== 'string') throw malformed('a document path does not begin with a name')
  return { kind: 'path', path }
}

function readPathPart(reader: CborReader): string | number {
  if (reader.major === 3) return reader.text()
  if (reader.tag() !== ordinalTag) throw malformed('a document path has an unknown part')
  return reader.integer()
}

function missingVariable(): never {
  throw malformed('an expression names a value that was not sent')
}
