import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { attributeOf, setAttribute } from '../values/attribute-value.ts'
import type { Path, PathSegment, Projection, ProjectionNode } from './syntax.ts'

/** The parts of an item that a projection names. Paths below one attribute are merged; of a list the named elements are
 *  left, in their order and without gaps. What an item lacks is left out. */
export function project(projection: Projection, item: Item): Item {
  return projectEntries(projection.root, item)
}

/** A projection of paths that do not overlap. */
export function projectionOf(paths: readonly Path[]): Projection {
  const root = newNode()
  for (const path of paths) {
    let node = root
    for (let depth = 0; depth < path.length; depth++) {
      const segment = path[depth]
      if (segment !== undefined) node = childFor(node, segment, depth === path.length - 1)
    }
  }
  return { paths, root: sorted(root) }
}

function projectEntries(node: ProjectionNode, entries: Item): Item {
  if (node.names.size > fewNames) return projectOwn(node, entries)
  const projected: Record<string, AttributeValue> = {}
  for (const [name, child] of node.names) {
    const value = attributeOf(entries, name)
    const part = value === undefined ? undefined : projectValue(child, value)
    if (part !== undefined) setAttribute(projected, name, part)
  }
  return projected
}

const fewNames = 16

/** A projection of very many names, which AttributesToGet can have, costs no more per item than the item has
 *  attributes. */
function projectOwn(node: ProjectionNode, entries: Item): Item {
  const projected: Record<string, AttributeValue> = {}
  for (const name in entries) {
    const child = node.names.get(name)
    const value = child && attributeOf(entries, name)
    const part = child && value && projectValue(child, value)
    if (part !== undefined) setAttribute(projected, name, part)
  }
  return projected
}

function projectValue(node: ProjectionNode, value: AttributeValue): AttributeValue | undefined {
  if (node.names.size > 0) {
    if (!('M' in value)) return undefined
    const entries = projectEntries(node, value.M)
    for (const _ in entries) return { M: entries }
    return undefined
  }
  if (node.indexes.length === 0) return value
  if (!('L' in value)) return undefined
  const elements: AttributeValue[] = []
  for (const [index, child] of node.indexes) {
    const element = value.L[index]
    const part = element === undefined ? undefined : projectValue(child, element)
    if (part !== undefined) elements.push(part)
  }
  return elements.length > 0 ? { L: elements } : undefined
}

interface GrowingNode extends ProjectionNode {
  readonly names: Map<string, GrowingNode>
  readonly byIndex: Map<number, GrowingNode>
  indexes: readonly (readonly [number, GrowingNode])[]
}

function newNode(): GrowingNode {
  return { names: new Map(), byIndex: new Map(), indexes: [] }
}

/** Where a path ends everything is selected and nothing grows, so that all of them end in one node. */
const leaf = newNode()

function childFor(node: GrowingNode, segment: PathSegment, isLast: boolean): GrowingNode {
  if (node === leaf) return leaf
  const known = segment.kind === 'name' ? node.names.get(segment.name) : node.byIndex.get(segment.index)
  if (known !== undefined) return known
  const child = isLast ? leaf : newNode()
  if (segment.kind === 'name') node.names.set(segment.name, child)
  else node.byIndex.set(segment.index, child)
  return child
}

/** Recursion is bounded: a path has at most 32 segments. */
function sorted(node: GrowingNode): GrowingNode {
  if (node === leaf) return node
  if (node.byIndex.size > 0) node.indexes = [...node.byIndex].toSorted(([a], [b]) => a - b)
  for (const child of node.names.values()) sorted(child)
  for (const child of node.byIndex.values()) sorted(child)
  return node
}
