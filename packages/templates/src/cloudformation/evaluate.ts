import { isObject, listOf, type Json, plainText } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import { tooLong, type TextBudget } from '../text-budget.ts'
import { substitute } from './substitute.ts'

/** Values of a template, once its functions have been evaluated. What is `AWS::NoValue` is left out. */
export type Evaluated = Json | Unresolved | undefined

/** What a template's functions refer to. */
export interface References {
  /** A parameter, a pseudo parameter or a resource. */
  ref(name: string): Evaluated
  attribute(resource: string, attribute: string): Evaluated
  condition(name: string): boolean | Unresolved
  mapped(map: string, first: string, second: string): Json | undefined
  /** What another stack exports, where stacks are known. */
  imported?(name: string): Evaluated
  readonly budget: TextBudget
}

/** Evaluates the functions in a value. What is not known inside of a list or a map is left out of it, and added to `missing`. */
export function evaluate(value: Json, references: References, missing: Unresolved[] = [], depth = 0): Evaluated {
  if (depth > 100) return new Unresolved('it is nested too deeply')
  const inner = (part: Json | undefined): Evaluated =>
    part === undefined ? undefined : evaluate(part, references, missing, depth + 1)
  const present = (part: Evaluated): readonly Json[] => {
    if (part instanceof Unresolved) missing.push(part)
    return part === undefined || part instanceof Unresolved ? [] : [part]
  }
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((part) => present(inner(part)))
  if (!isObject(value)) return value
  const [entry, ...others] = Object.entries(value)
  if (entry !== undefined && others.length === 0) {
    const [name, argument] = entry
    if (name === 'Ref')
      return bounded(typeof argument === 'string' ? references.ref(argument) : badly(name), references)
    if (name.startsWith('Fn::')) return bounded(call(name, argument, references, inner), references)
  }
  const result: Record<string, Json> = Object.create(null) as Record<string, Json>
  for (const [name, part] of Object.entries(value)) {
    for (const known of present(inner(part))) result[name] = known
  }
  return result
}

/** Every copy counts, so what functions are given is bounded too. */
function bounded(value: Evaluated, { budget }: References): Evaluated {
  if (value === undefined || value instanceof Unresolved) return value
  return budget.take(value) ? value : new Unresolved(tooLong)
}

/** Whether a condition holds. */
export function holds(value: Json | undefined, references: References, depth = 0): boolean | Unresolved {
  if (depth > 50) return new Unresolved('conditions refer to each other')
  if (typeof value === 'boolean') return value
  if (!isObject(value)) return new Unresolved('a condition is not a function')
  const [[name, argument] = ['', null]] = Object.entries(value)
  const parts = listOf(argument)
  switch (name) {
    case 'Condition':
      return typeof argument === 'string' ? references.condition(argument) : badly(name)
    case 'Fn::Equals': {
      const [one, other] = parts.map((part) => evaluate(part, references))
      if (one instanceof Unresolved) return one
      if (other instanceof Unresolved) return other
      return plainText(one) === plainText(other)
    }
    case 'Fn::Not': {
      const result = holds(parts[0], references, depth + 1)
      return result instanceof Unresolved ? result : !result
    }
    case 'Fn::And':
    case 'Fn::Or': {
      const decisive = name === 'Fn::Or'
      const results = parts.map((part) => holds(part, references, depth + 1))
      if (results.includes(decisive)) return decisive
      return results.find((result) => result instanceof Unresolved) ?? !decisive
    }
    default:
      return new Unresolved(`the function ${name} is not known in conditions`)
  }
}

function call(
  name: string,
  argument: Json | undefined,
  references: References,
  inner: (part: Json | undefined) => Evaluated,
): Evaluated {
  const parts = listOf(argument)
  switch (name) {
    case 'Fn::Sub':
      return substitute(argument, inner, references.budget)
    case 'Fn::GetAtt': {
      const [resource, ...attribute] =
        typeof argument === 'string' ? argument.split('.') : parts.map((part) => plainText(inner(part)))
      return resource === undefined ? badly(name) : references.attribute(resource, attribute.join('.'))
    }
    case 'Fn::If': {
      const [condition, yes, no] = parts
      const result = typeof condition === 'string' ? references.condition(condition) : holds(condition, references)
      return result instanceof Unresolved ? result : inner(result ? yes : no)
    }
    case 'Fn::Join': {
      const [separator] = parts
      const list = inner(parts[1])
      if (list instanceof Unresolved) return list
      if (!Array.isArray(list)) return badly(name)
      const texts = (list as readonly Json[]).map((one) => plainText(one))
      const between = plainText(separator)
      const length = texts.reduce((sum, text) => sum + text.length + between.length, 0)
      return references.budget.hasRoomFor(length) ? texts.join(between) : new Unresolved(tooLong)
    }
    case 'Fn::Select': {
      const index = inner(parts[0])
      if (index instanceof Unresolved) return index
      // Of a list that is written out, the other members need not be known.
      const isWritten = Array.isArray(parts[1])
      const list = isWritten ? parts[1] : inner(parts[1])
      if (list instanceof Unresolved) return list
      if (!Array.isArray(list)) return badly(name)
      const chosen = (list as readonly Json[])[Number(index)]
      if (chosen === undefined)
        return new Unresolved(`Fn::Select cannot select nonexistent value at index ${plainText(index)}`)
      return isWritten ? inner(chosen) : chosen
    }
    case 'Fn::Split': {
      const text = inner(parts[1])
      return text instanceof Unresolved ? text : plainText(text).split(plainText(parts[0]))
    }
    case 'Fn::FindInMap': {
      const [map, first, second] = parts.slice(0, 3).map(inner)
      for (const key of [map, first, second]) if (key instanceof Unresolved) return key
      const found = references.mapped(plainText(map), plainText(first), plainText(second))
      if (found !== undefined) return found
      const fallback = parts
        .map((part) => (isObject(part) ? part['DefaultValue'] : undefined))
        .find((part) => part !== undefined)
      return (
        inner(fallback) ??
        new Unresolved(`Mappings has no ${plainText(map)}, ${plainText(first)}, ${plainText(second)}`)
      )
    }
    case 'Fn::ImportValue': {
      const exported = inner(argument)
      if (exported instanceof Unresolved || references.imported === undefined)
        return exported instanceof Unresolved ? exported : new Unresolved(`${name} is evaluated by AWS alone`)
      return references.imported(plainText(exported))
    }
    case 'Fn::Length': {
      const list = inner(argument)
      return Array.isArray(list) ? list.length : badly(name)
    }
    case 'Fn::ToJsonString': {
      const whole = inner(argument)
      return whole instanceof Unresolved ? whole : JSON.stringify(whole)
    }
    case 'Fn::Base64': {
      const text = inner(argument)
      return text instanceof Unresolved ? text : Buffer.from(plainText(text)).toString('base64')
    }
    default:
      return new Unresolved(`${name} is evaluated by AWS alone`)
  }
}

function badly(name: string): Unresolved {
  return new Unresolved(`${name} is not written as it should be`)
}
