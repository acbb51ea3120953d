import { ModelError, unreachable } from '../errors.ts'
import type { EntityRuntime, PlainItem } from './entity-runtime.ts'
import { itemPath } from './item-path.ts'
import { Change } from './operators.ts'
import type { ChangeKind } from './operators.ts'

/** The result of an update, computed here: for updates that must know it to keep guards in step. */
export function applyChanges(entity: EntityRuntime, item: PlainItem, changes: PlainItem): PlainItem {
  const next: PlainItem = { ...item }
  for (const [name, given] of Object.entries(changes)) {
    if (given === undefined) continue
    const { attribute, steps } = itemPath(entity, name)
    const value = changedAt(next[attribute.name], steps, name, (present) =>
      given instanceof Change ? outcome(name, present, given as Change<ChangeKind, unknown>) : given,
    )
    if (value === undefined) delete next[attribute.name]
    else next[attribute.name] = value
  }
  return next
}

/** The value with one of its parts changed; what leads to the part must be there, as it must be for the database. */
function changedAt(
  value: unknown,
  [step, ...rest]: readonly (string | number)[],
  path: string,
  change: (present: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value)
  if (typeof step === 'number') {
    if (!Array.isArray(value)) throw noParent(path)
    const elements: unknown[] = [...value]
    const element = changedAt(elements[step], rest, path, change)
    // Beyond the end of a list, the database appends.
    if (element === undefined) elements.splice(step, 1)
    else elements[Math.min(step, elements.length)] = element
    return elements
  }
  if (typeof value !== 'object' || value === null) throw noParent(path)
  const fields = new Map<string, unknown>(Object.entries(value))
  const field = changedAt(fields.get(step), rest, path, change)
  if (field === undefined) fields.delete(step)
  else fields.set(step, field)
  return Object.fromEntries(fields)
}

function noParent(path: string): ModelError {
  return new ModelError(
    'INVALID_VALUE',
    `The item has no attribute that can contain ${path}. Set the whole attribute.`,
    {
      attribute: path,
    },
  )
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
