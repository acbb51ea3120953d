import type { ServiceError } from '../errors.ts'
import { validationException } from '../errors.ts'
import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { assertAttributeName, readAttributeValue } from '../values/read-attribute-value.ts'
import { projectionOf } from './project.ts'
import type { Path, Projection, Update, UpdateAction } from './syntax.ts'

/** A member of AttributeUpdates. */
export interface LegacyUpdate {
  readonly Action?: 'PUT' | 'ADD' | 'DELETE' | null
  readonly Value?: unknown
}

/** AttributeUpdates. An empty update still creates an item that does not exist. */
export function legacyUpdate(updates: Readonly<Record<string, LegacyUpdate>>): Update {
  for (const name in updates) assertAttributeName(name)
  const actions = Object.entries(updates).map(([name, update]) => readUpdate(name, update))
  return { origin: 'AttributeUpdates', actions }
}

/** AttributesToGet: top-level attributes, each once. */
export function legacyProjection(names: readonly string[]): Projection {
  const seen = new Set<string>()
  for (const name of names) {
    assertAttributeName(name)
    if (seen.has(name)) throw invalidParameter(`Duplicate value in attribute name: ${name}`)
    seen.add(name)
  }
  return projectionOf(names.map(pathTo))
}

const addedTypes: ReadonlySet<AttributeType> = new Set(['N', 'SS', 'NS', 'BS', 'L'])
const deletedTypes: ReadonlySet<AttributeType> = new Set(['SS', 'NS', 'BS'])

function readUpdate(name: string, update: LegacyUpdate): UpdateAction {
  const path = pathTo(name)
  const action = update.Action ?? 'PUT'
  if (update.Value === undefined || update.Value === null) {
    if (action === 'DELETE') return { kind: 'remove', path }
    throw invalidParameter('Only DELETE action is allowed when no attribute value is specified')
  }
  const value = readAttributeValue(update.Value)
  if (action === 'PUT') return { kind: 'set', path, value: { kind: 'value', value } }
  assertActionType(action, value)
  return { kind: action === 'ADD' ? 'add' : 'delete', path, value }
}

function assertActionType(action: 'ADD' | 'DELETE', value: AttributeValue): void {
  const type = typeOf(value)
  if (action === 'DELETE' && !deletedTypes.has(type)) {
    throw invalidParameter(`DELETE action with value is not supported for the type ${type}`)
  }
  if (action === 'ADD' && !addedTypes.has(type)) {
    throw invalidParameter(`ADD action is not supported for the type ${type}`)
  }
}

function pathTo(name: string): Path {
  return [{ kind: 'name', name }]
}

function invalidParameter(problem: string): ServiceError {
  return validationException(`One or more parameter values were invalid: ${problem}`)
}
