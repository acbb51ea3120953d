import { isObject, type Json, plainText } from '../table-design.ts'
import { tooLong, type TextBudget } from '../text-budget.ts'
import { Unresolved } from '../unresolved.ts'
import type { Evaluated } from './evaluate.ts'

/** `Fn::Sub`: a text, or a text and variables of its own. `${!Literal}` stays as `${Literal}`. */
export function substitute(
  argument: Json | undefined,
  evaluateOne: (value: Json) => Evaluated,
  budget: TextBudget,
): Evaluated {
  const [text, variables] = Array.isArray(argument) ? (argument as readonly Json[]) : [argument]
  if (typeof text !== 'string') return new Unresolved('Fn::Sub has no text')
  // Each once: what a variable is may be a substitution too, and so on.
  const found = new Map<string, string | Unresolved>()
  const find = (name: string): string | Unresolved => {
    const known = found.get(name) ?? textOf(valueOf(name, variables, evaluateOne))
    found.set(name, known)
    return known
  }
  let unresolved: Unresolved | undefined
  const result = text.replaceAll(/\$\{(!?)([^{}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`
    if (unresolved !== undefined) return ''
    const inserted = find(name.trim())
    if (typeof inserted === 'string' && budget.take(inserted)) return inserted
    unresolved = typeof inserted === 'string' ? new Unresolved(tooLong) : inserted
    return ''
  })
  return unresolved ?? result
}

function textOf(value: Evaluated): string | Unresolved {
  if (value instanceof Unresolved) return value
  return Array.isArray(value) ? value.join(',') : plainText(value)
}

function valueOf(name: string, variables: Json | undefined, evaluateOne: (value: Json) => Evaluated): Evaluated {
  if (isObject(variables) && Object.hasOwn(variables, name)) return evaluateOne(variables[name] ?? null)
  const dot = name.indexOf('.')
  return evaluateOne(dot === -1 ? { Ref: name } : { 'Fn::GetAtt': [name.slice(0, dot), name.slice(dot + 1)] })
}
