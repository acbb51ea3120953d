import type { ServiceError } from '../errors.ts'
import { unreachable, validationException } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { attributeOf, setAttribute } from '../values/attribute-value.ts'
import { attributeValueSizeBytes } from '../values/item-size.ts'
import { addToValue, deleteFromValue } from './add-and-delete.ts'
import { evaluateOperand } from './evaluate-operand.ts'
import type { Path, PathSegment, Update, UpdateAction } from './syntax.ts'

export interface UpdatedItem {
  /** Undefined if there was no item and the update only takes away: that does not create one. */
  readonly item: Item | undefined
}

/** The item after an update. If there was no item, it starts from `key`. Replaced parts are copied and the rest is
 *  shared with `item`, which does not change. Every value is read from the item as it was before the update. */
export function applyUpdate(update: Update, item: Item | undefined, key: Item): UpdatedItem {
  const before = item ?? key
  const targets = newTarget(undefined)
  let leastBytes = 0
  for (const action of update.actions) {
    // Removing something that does not exist does nothing, wherever the path leads.
    if (item === undefined && action.kind === 'remove') continue
    const { change, value } = changeOf(action, update, before)
    // The paths do not overlap, so the item will contain all of these. One large list or set can be set or added many
    // times.
    if (value !== undefined) leastBytes += leastSizeBytes(value)
    if (leastBytes > limits.itemSizeBytes) throw validationException(updateTooLarge)
    let target = targets
    for (const segment of action.path) target = targetBelow(target, segment)
    target.change = change
  }
  const after = updateEntries(targets, before)
  if (item === undefined && update.actions.length > 0 && update.actions.every(takesAway)) return { item: undefined }
  return { item: after }
}

export const updateTooLarge = 'Item size to update has exceeded the maximum allowed size'

/** Computes the new value at a path; undefined removes it. */
type Change = (current: AttributeValue | undefined) => AttributeValue | undefined

/** A tree of the paths that are changed. Paths do not overlap, so only leaves have a change. */
interface Target {
  change: Change | undefined
  names: Map<string, Target> | undefined
  indexes: Map<number, Target> | undefined
}

function newTarget(change: Change | undefined): Target {
  return { change, names: undefined, indexes: undefined }
}

function targetBelow(target: Target, segment: PathSegment): Target {
  const below = newTarget(undefined)
  if (segment.kind === 'name') {
    target.names ??= new Map()
    const known = target.names.get(segment.name)
    if (known !== undefined) return known
    target.names.set(segment.name, below)
  } else {
    target.indexes ??= new Map()
    const known = target.indexes.get(segment.index)
    if (known !== undefined) return known
    target.indexes.set(segment.index, below)
  }
  return below
}

function takesAway(action: UpdateAction): boolean {
  return action.kind === 'remove' || action.kind === 'delete'
}

interface Changing {
  readonly change: Change
  /** What will be at the path, or a part of it. */
  readonly value?: AttributeValue
}

function changeOf(action: UpdateAction, update: Update, before: Item): Changing {
  switch (action.kind) {
    case 'set': {
      const value = evaluateOperand(action.value, before)
      assertNesting(action.path, value)
      return { change: () => value, value }
    }
    case 'remove':
      return { change: () => undefined }
    case 'add':
      return { change: (current) => addToValue(update.origin, current, action.value), value: action.value }
    case 'delete':
      return { change: (current) => deleteFromValue(update.origin, current, action.value) }
    default:
      return unreachable(action)
  }
}

/** Recursion is bounded by the depth of a path. */
function updateEntries(target: Target, entries: Item): Item {
  const updated: Record<string, AttributeValue> = { ...entries }
  for (const [name, below] of target.names ?? []) {
    const current = attributeOf(entries, name)
    const value = updateValue(below, current)
    if (value !== undefined) setAttribute(updated, name, value)
    else if (current !== undefined) Reflect.deleteProperty(updated, name)
  }
  return updated
}

function updateValue(target: Target, current: AttributeValue | undefined): AttributeValue | undefined {
  if (target.change !== undefined) return target.change(current)
  if (current === undefined) throw invalidPath()
  if (target.names !== undefined) {
    if (!('M' in current)) throw invalidPath()
    return { M: updateEntries(target, current.M) }
  }
  if (!('L' in current)) throw invalidPath()
  return { L: updateElements(target.indexes ?? new Map<number, Target>(), current.L) }
}

/** Indexes are those of the list as it was. What is set beyond the end is appended, in the order of the indexes; what is
 *  removed leaves no gap. */
function updateElements(
  targets: ReadonlyMap<number, Target>,
  elements: readonly AttributeValue[],
): readonly AttributeValue[] {
  const updated: (AttributeValue | undefined)[] = [...elements]
  const ordered = [...targets].toSorted(([a], [b]) => a - b)
  for (const [index, target] of ordered) {
    const value = updateValue(target, elements[index])
    if (index < elements.length) updated[index] = value
    else if (value !== undefined) updated.push(value)
  }
  return updated.filter((element) => element !== undefined)
}

/** No value is smaller than this, and it costs nothing to compute. */
function leastSizeBytes(value: AttributeValue): number {
  if ('S' in value) return value.S.length
  if ('L' in value) return value.L.length
  if ('SS' in value) return value.SS.length
  if ('NS' in value) return value.NS.length
  if ('BS' in value) return value.BS.length
  return 'B' in value || 'M' in value ? attributeValueSizeBytes(value) : 0
}

/** A value that was valid at the top level can be too deep further down; and a transaction's values may be one level
 *  deeper than its items. */
function assertNesting(path: Path, value: AttributeValue): void {
  if (path.length === 1 && !('M' in value) && !('L' in value)) return
  if (path.length - 1 + levelsOf(value) <= limits.nestingLevels) return
  throw validationException(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  )
}

function levelsOf(value: AttributeValue): number {
  let below = 0
  if ('L' in value) for (const element of value.L) below = Math.max(below, levelsOf(element))
  else if ('M' in value) for (const name in value.M) below = Math.max(below, levelsBelow(value.M, name))
  return below + 1
}

function levelsBelow(entries: Item, name: string): number {
  const value = attributeOf(entries, name)
  return value === undefined ? 0 : levelsOf(value)
}

function invalidPath(): ServiceError {
  return validationException('The document path provided in the update expression is invalid for update')
}
