import { attributeOf, typeOf } from '@hashrange/core'
import type { AttributeValue, Item } from '../../api-types.ts'

/** What became of one attribute, of one member of a map or one element of a list. */
export interface Difference {
  readonly name: string
  readonly kind: 'added' | 'removed' | 'changed' | 'same'
  readonly before?: AttributeValue
  readonly after?: AttributeValue
  /** Of a map or a list that is still one: what became of its parts. */
  readonly parts?: readonly Difference[]
}

/** DynamoDB nests no deeper. */
const deepest = 34

/** The difference of two images of an item, attribute by attribute in the order of their names: the keys first. */
export function diffItems(
  before: Item | undefined,
  after: Item | undefined,
  keyNames: readonly string[],
): Difference[] {
  const all = diffMembers(before ?? {}, after ?? {}, 0)
  const isKey = ({ name }: Difference): boolean => keyNames.includes(name)
  return [...all.filter(isKey), ...all.filter((one) => !isKey(one))]
}

/** What has changed, down to the parts that did: `address.city` instead of the whole address. At most this many. */
export function leafChanges(differences: readonly Difference[], most: number, path = ''): Difference[] {
  const leaves: Difference[] = []
  for (const difference of changedNames(differences)) {
    if (leaves.length >= most) break
    const name = pathOf(path, difference.name)
    if (difference.parts === undefined) leaves.push({ ...difference, name })
    else leaves.push(...leafChanges(difference.parts, most - leaves.length, name))
  }
  return leaves
}

function pathOf(path: string, name: string): string {
  if (path === '' || name === '') return path + name
  return name.startsWith('[') ? path + name : `${path}.${name}`
}

export function changedNames(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ kind }) => kind !== 'same')
}

export function isSameValue(left: AttributeValue, right: AttributeValue, depth = 0): boolean {
  if (depth > deepest || typeOf(left) !== typeOf(right)) return false
  if ('M' in left && 'M' in right) {
    const names = Object.keys(left.M)
    return (
      names.length === Object.keys(right.M).length &&
      names.every((name) => {
        const [one, other] = [attributeOf(left.M, name), attributeOf(right.M, name)]
        return one !== undefined && other !== undefined && isSameValue(one, other, depth + 1)
      })
    )
  }
  if ('L' in left && 'L' in right) {
    return (
      left.L.length === right.L.length &&
      left.L.every((one, position) => {
        const other = right.L[position]
        return other !== undefined && isSameValue(one, other, depth + 1)
      })
    )
  }
  const [ones, others] = [membersOf(left), membersOf(right)]
  if (ones !== undefined && others !== undefined) {
    const known = new Set(others)
    return ones.length === others.length && ones.every((member) => known.has(member))
  }
  return JSON.stringify(left) === JSON.stringify(right)
}

function diffMembers(before: Item, after: Item, depth: number): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.map((name) => diffValue(name, attributeOf(before, name), attributeOf(after, name), depth))
}

function diffValue(
  name: string,
  before: AttributeValue | undefined,
  after: AttributeValue | undefined,
  depth: number,
): Difference {
  if (before === undefined && after !== undefined) return { name, kind: 'added', after }
  if (after === undefined && before !== undefined) return { name, kind: 'removed', before }
  if (before === undefined || after === undefined) return { name, kind: 'same' }
  if (isSameValue(before, after)) return { name, kind: 'same', before, after }
  const parts = depth >= deepest ? undefined : partsOf(before, after, depth + 1)
  return { name, kind: 'changed', before, after, ...(parts !== undefined && { parts }) }
}

function partsOf(before: AttributeValue, after: AttributeValue, depth: number): readonly Difference[] | undefined {
  if ('M' in before && 'M' in after) return diffMembers(before.M, after.M, depth)
  if ('L' in before && 'L' in after) {
    const length = Math.max(before.L.length, after.L.length)
    return Array.from({ length }, (_, position) =>
      diffValue(`[${String(position)}]`, before.L[position], after.L[position], depth),
    )
  }
  const [was, is] = [membersOf(before), membersOf(after)]
  if (was === undefined || is === undefined || typeOf(before) !== typeOf(after)) return undefined
  const type = typeOf(before)
  const one = (member: string): AttributeValue =>
    type === 'NS' ? { N: member } : type === 'BS' ? { B: member } : { S: member }
  const [had, has] = [new Set(was), new Set(is)]
  return [
    ...was
      .filter((member) => !has.has(member))
      .map((member): Difference => ({ name: '', kind: 'removed', before: one(member) })),
    ...is
      .filter((member) => !had.has(member))
      .map((member): Difference => ({ name: '', kind: 'added', after: one(member) })),
  ]
}

function membersOf(value: AttributeValue): readonly string[] | undefined {
  if ('SS' in value) return value.SS
  if ('NS' in value) return value.NS
  return 'BS' in value ? value.BS : undefined
}
