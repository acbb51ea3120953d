import { ModelError, unreachable } from '../errors.ts'
import type { PlainItem } from './entity-runtime.ts'
import { Change } from './operators.ts'
import type { ChangeKind } from './operators.ts'

/** The result of an update, computed here: for updates that must know it to keep guards in step. */
export function applyChanges(item: PlainItem, changes: PlainItem): PlainItem {
  const next: PlainItem = { ...item }
  for (const [name, given] of Object.entries(changes)) {
    if (given === undefined) continue
    const value = given instanceof Change ? outcome(name, next[name], given as Change<ChangeKind, unknown>) : given
    if (value === undefined) delete next[name]
    else next[name] = value
  }
  return next
}

function outcome(name: string, present: unknown, { kind, operand }: Change<ChangeKind, unknown>): unknown {
  switch (kind) {
    case 'remove':
      return undefined
    case 'ifAbsent':
      return present ?? operand
    case 'add':
      if (typeof present === 'bigint') return present + BigInt(operand as bigint | number)
      return typeof operand === 'bigint' ? operand : Number(present ?? 0) + Number(operand)
    case 'append':
      return [...elementsOf(name, present), ...elementsOf(name, operand)]
    case 'prepend':
      return [...elementsOf(name, operand), ...elementsOf(name, present)]
    case 'addToSet':
      return new Set([...elementsOf(name, present), ...elementsOf(name, operand)])
    case 'removeFromSet': {
      const gone = new Set(elementsOf(name, operand))
      return new Set(elementsOf(name, present).filter((element) => !gone.has(element)))
    }
    default:
      return unreachable(kind)
  }
}

function elementsOf(name: string, value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (value instanceof Set) return [...value]
  if (Array.isArray(value)) return value
  throw new ModelError('INVALID_VALUE', `${name} is neither a list nor a set.`, { attribute: name })
}
