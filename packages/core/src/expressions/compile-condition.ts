import { unreachable } from '../errors.ts'
import { bindPath, bindValue } from './bind-operands.ts'
import { checkCondition } from './check-functions.ts'
import { ConditionBuilder } from './condition-builder.ts'
import type { ExpressionScope } from './expression-scope.ts'
import { ParseCache } from './parse-cache.ts'
import { parseCondition } from './parse-condition.ts'
import type { ParsedCall, ParsedCondition, ParsedOperand } from './parse-tree.ts'
import type { Condition, ConditionKind, Operand } from './syntax.ts'

/** Compiles a condition: parses it, or takes it from the cache, and fills in the names and values of this request. */
export function compileCondition(text: string, kind: ConditionKind, scope: ExpressionScope): Condition {
  return new ConditionBinder(kind, scope).condition(caches[kind].get(text))
}

const caches: Readonly<Record<ConditionKind, ParseCache<ParsedCondition>>> = {
  ConditionExpression: cacheOf('ConditionExpression'),
  FilterExpression: cacheOf('FilterExpression'),
  KeyConditionExpression: cacheOf('KeyConditionExpression'),
  SearchConditionExpression: cacheOf('SearchConditionExpression'),
}

function cacheOf(kind: ConditionKind): ParseCache<ParsedCondition> {
  return new ParseCache(kind, (text) => {
    const condition = parseCondition(kind, text)
    checkCondition(kind, condition)
    return condition
  })
}

/** Each condition is completed before the next one: first its placeholders, then the checks of `ConditionBuilder`. */
class ConditionBinder {
  readonly #kind: ConditionKind
  readonly #scope: ExpressionScope
  readonly #build: ConditionBuilder

  constructor(kind: ConditionKind, scope: ExpressionScope) {
    this.#kind = kind
    this.#scope = scope
    this.#build = new ConditionBuilder(kind)
  }

  condition(parsed: ParsedCondition): Condition {
    switch (parsed.kind) {
      case 'and':
      case 'or':
        return { kind: parsed.kind, terms: parsed.terms.map((term) => this.condition(term)) }
      case 'not':
        return { kind: 'not', term: this.condition(parsed.term) }
      case 'compare':
        return this.#build.compare(parsed.operator, this.#operand(parsed.left), this.#operand(parsed.right))
      case 'between':
        return this.#build.between(
          this.#operand(parsed.operand),
          this.#operand(parsed.lower),
          this.#operand(parsed.upper),
        )
      case 'in':
        return this.#build.in(
          this.#operand(parsed.operand),
          parsed.candidates.map((candidate) => this.#operand(candidate)),
        )
      case 'call':
        return this.#build.call(parsed.name, this.#operands(parsed))
      default:
        return unreachable(parsed)
    }
  }

  #operand(parsed: ParsedOperand): Operand {
    switch (parsed.kind) {
      case 'path':
        return { kind: 'path', path: bindPath(this.#kind, parsed, this.#scope) }
      case 'placeholder':
        return { kind: 'value', value: bindValue(this.#kind, parsed, this.#scope) }
      case 'call':
        // All other functions were already rejected here.
        return this.#build.size(this.#operands(parsed))
      default:
        return unreachable(parsed)
    }
  }

  #operands(call: ParsedCall): readonly Operand[] {
    return call.operands.map((operand) => this.#operand(operand))
  }
}
