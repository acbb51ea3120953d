import { isObject, type Json, plainText } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import type { Evaluated } from './evaluate.ts'

/** `Fn::Sub`: a text, or a text and variables of its own. `${!Literal}` stays as `${Literal}`. */
export function substitute(argument: Json | undefined, evaluateOne: (value: Json) => Evaluated): Evaluated {
  const [text, variables] = Array.isArray(argument) ? (argument as readonly Json[]) : [argument]
  if (typeof text !== 'string') return new Unresolved('Fn::Sub has no text')
  let unresolved: Unresolved | undefined
  const result = text.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`
    const value = valueOf(name.trim(), variables, evaluateOne)
    if (value instanceof Unresolved) unresolved ??= value
    return Array.isArray(value) ? value.join(',') : plainText(value)
  })
  return unresolved ?? result
}

function valueOf(name: string, variables: Json | undefined, evaluateOne: (value: Json) => Evaluated): Evaluated {
  if (isObject(variables) && Object.hasOwn(variables, name)) return evaluateOne(variables[name] ?? null)
  const dot = name.indexOf('.')
  return evaluateOne(dot === -1 ? { Ref: name } : { 'Fn::GetAtt': [name.slice(0, dot), name.slice(dot + 1)] })
}
