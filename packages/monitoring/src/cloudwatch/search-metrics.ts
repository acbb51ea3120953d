import type { DimensionInput } from '../api/cloudwatch-inputs.ts'
import { ExpressionError } from './expression-syntax.ts'

/** A metric, as a search looks at it. */
export interface SearchedMetric {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: readonly DimensionInput[]
}

/** The condition of `SEARCH('{AWS/DynamoDB,TableName} MetricName="ConsumedReadCapacityUnits"', …)`: the braces
 *  contain a namespace and exactly the dimensions of a metric, and the rest must be found in it. A word in quotes is
 *  a whole value, any other a part of one, in upper or lower case. */
export function parseSearch(text: string): (metric: SearchedMetric) => boolean {
  const parser = new SearchParser(tokensOf(text))
  const schema = parser.schema()
  const condition = parser.condition()
  return (metric) => matchesSchema(metric, schema) && condition(metric)
}

interface Schema {
  readonly namespace: string
  readonly dimensions: ReadonlySet<string>
}

type Condition = (metric: SearchedMetric) => boolean

type Token =
  | { readonly kind: 'word'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'symbol'; readonly text: string }

const deepestLevel = 20

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const [, quoted, symbol, word] of text.matchAll(/"([^"]*)"|([{}(),=])|([^\s"{}(),=]+)/g)) {
    if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
    else tokens.push({ kind: 'word', text: quoted ?? word ?? '', isQuoted: quoted !== undefined })
  }
  return tokens
}

function matchesSchema({ namespace, dimensions }: SearchedMetric, schema: Schema): boolean {
  return (
    namespace === schema.namespace &&
    dimensions.length === schema.dimensions.size &&
    dimensions.every(({ Name }) => schema.dimensions.has(Name))
  )
}

class SearchParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #level = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  schema(): Schema {
    if (!this.#nextIs('{')) throw new ExpressionError('a search begins with {namespace, dimensions}')
    const names = [this.#word().text]
    while (this.#nextIs(',')) names.push(this.#word().text)
    if (!this.#nextIs('}')) throw new ExpressionError('a search begins with {namespace, dimensions}')
    const [namespace = '', ...dimensions] = names
    return { namespace, dimensions: new Set(dimensions) }
  }

  condition(): Condition {
    if (this.#at === this.#tokens.length) return () => true
    const condition = this.#either()
    if (this.#at < this.#tokens.length) throw new ExpressionError('a search has a parenthesis too many')
    return condition
  }

  #either(): Condition {
    if (++this.#level > deepestLevel) throw new ExpressionError('a search nests too deeply')
    const terms = [this.#all()]
    while (this.#keyword('OR')) terms.push(this.#all())
    this.#level--
    return (metric) => terms.some((term) => term(metric))
  }

  /** AND is optional. */
  #all(): Condition {
    const terms = [this.#term()]
    while (this.#keyword('AND') || this.#begins()) terms.push(this.#term())
    return (metric) => terms.every((term) => term(metric))
  }

  #term(): Condition {
    if (this.#keyword('NOT')) {
      const term = this.#term()
      return (metric) => !term(metric)
    }
    if (this.#nextIs('(')) {
      const inner = this.#either()
      this.#close()
      return inner
    }
    const word = this.#word()
    if (!this.#nextIs('=')) return (metric) => valuesOf(metric).some((value) => contains(value, word))
    const values = this.#values()
    return (metric) => {
      const value = valueOf(metric, word.text)
      return value !== undefined && values.some((one) => contains(value, one))
    }
  }

  /** `"a"`, or `("a" OR "b")`. */
  #values(): readonly Word[] {
    if (!this.#nextIs('(')) return [this.#word()]
    const values = [this.#word()]
    while (this.#keyword('OR')) values.push(this.#word())
    this.#close()
    return values
  }

  #begins(): boolean {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.text === ')') return false
    return token.kind === 'symbol' ? token.text === '(' : token.isQuoted || token.text !== 'OR'
  }

  #keyword(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word' || token.isQuoted || token.text !== word) return false
    this.#at++
    return true
  }

  #nextIs(symbol: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'symbol' || token.text !== symbol) return false
    this.#at++
    return true
  }

  #close(): void {
    if (!this.#nextIs(')')) throw new ExpressionError('a search lacks a parenthesis')
  }

  #word(): Word {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word') throw new ExpressionError('a search lacks a word')
    this.#at++
    return token
  }
}

interface Word {
  readonly text: string
  readonly isQuoted: boolean
}

function contains(value: string, { text, isQuoted }: Word): boolean {
  return isQuoted ? value === text : value.toLowerCase().includes(text.toLowerCase())
}

function valuesOf({ metricName, dimensions }: SearchedMetric): readonly string[] {
  return [metricName, ...dimensions.map(({ Value }) => Value)]
}

function valueOf({ namespace, metricName, dimensions }: SearchedMetric, name: string): string | undefined {
  if (name === 'MetricName') return metricName
  if (name === 'Namespace') return namespace
  return dimensions.find(({ Name }) => Name === name)?.Value
}
