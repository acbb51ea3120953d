/** Metric math, parsed. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly elements: readonly Expression[] }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }

export type BinaryOperator = '+' | '-' | '*' | '/' | '^' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||'

/** An expression that cannot be understood; the message says why. */
export class ExpressionError extends Error {}

const deepestLevel = 50
const tokenPattern =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z_][A-Za-z0-9_]*)|("[^"]*"|'[^']*')|(&&|\|\||<=|>=|==|!=|[-+*/^<>(),[\]!]))/y

export function parseExpression(text: string): Expression {
  const parser = new Parser(tokensOf(text))
  const expression = parser.expression(0)
  parser.assertEnd()
  return expression
}

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name' | 'text' | 'symbol'; readonly value: string }

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(tokenPattern)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const [, number, name, quoted, symbol] = pattern.exec(text) ?? []
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) })
    else if (name !== undefined) tokens.push({ kind: 'name', value: name })
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.slice(1, -1) })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', value: symbol })
    else throw new ExpressionError(`unexpected ${JSON.stringify(text.slice(at).trimStart().slice(0, 1))}`)
  }
  return tokens
}

const precedence = new Map<string, number>([
  ['||', 1],
  ['&&', 2],
  ['==', 3],
  ['!=', 3],
  ['<', 4],
  ['<=', 4],
  ['>', 4],
  ['>=', 4],
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['^', 8],
])
const negationPrecedence = 7

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #level = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** Operators of at least this precedence; `^` binds to the right. */
  expression(least: number): Expression {
    if (++this.#level > deepestLevel) throw new ExpressionError('it nests too deeply')
    let left = this.#operand()
    for (;;) {
      const operator = this.#operator()
      const binds = operator === undefined ? undefined : precedence.get(operator)
      if (operator === undefined || binds === undefined || binds < least) break
      this.#at++
      const right = this.expression(operator === '^' ? binds : binds + 1)
      left = { kind: 'binary', operator, left, right }
    }
    this.#level--
    return left
  }

  assertEnd(): void {
    if (this.#at < this.#tokens.length) throw this.#unexpected()
  }

  #operand(): Expression {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw this.#unexpected()
    this.#at++
    switch (token.kind) {
      case 'number':
        return token
      case 'text':
        return { kind: 'text', value: token.value }
      case 'name':
        return this.#nextIs('(')
          ? { kind: 'call', name: token.value.toUpperCase(), operands: this.#list(')') }
          : { kind: 'name', name: token.value }
      case 'symbol':
      default:
        return this.#afterSymbol(token.value)
    }
  }

  #afterSymbol(symbol: string): Expression {
    switch (symbol) {
      case '-':
        return { kind: 'negate', operand: this.expression(negationPrecedence) }
      case '+':
        return this.expression(negationPrecedence)
      case '!':
        return { kind: 'not', operand: this.expression(negationPrecedence) }
      case '(': {
        const inner = this.expression(0)
        if (!this.#nextIs(')')) throw this.#unexpected()
        return inner
      }
      case '[':
        return { kind: 'list', elements: this.#list(']') }
      default:
        this.#at--
        throw this.#unexpected()
    }
  }

  #list(end: string): readonly Expression[] {
    const elements: Expression[] = []
    if (this.#nextIs(end)) return elements
    do elements.push(this.expression(0))
    while (this.#nextIs(','))
    if (!this.#nextIs(end)) throw this.#unexpected()
    return elements
  }

  /** `AND` and `OR` are words for `&&` and `||`. */
  #operator(): BinaryOperator | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind === 'name') {
      const word = token.value.toUpperCase()
      return word === 'AND' ? '&&' : word === 'OR' ? '||' : undefined
    }
    return token?.kind === 'symbol' && precedence.has(token.value) ? (token.value as BinaryOperator) : undefined
  }

  #nextIs(symbol: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'symbol' || token.value !== symbol) return false
    this.#at++
    return true
  }

  #unexpected(): ExpressionError {
    const token = this.#tokens[this.#at]
    return new ExpressionError(
      token === undefined ? 'it ends too early' : `unexpected ${JSON.stringify(token.value)}`,
    )
  }
}
