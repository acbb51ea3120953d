import { invalidExpression } from './invalid-expression.ts'
import type { ExpressionKind, Path, PathSegment } from './syntax.ts'
import { pathText } from './syntax.ts'

/** Two paths of an update or a projection may not be the same or contain one another (they overlap), nor use one
 *  attribute both as a list and as a map (they conflict). Overlaps are reported before conflicts. A tree of the paths
 *  finds both in one pass: an expression can have two thousand paths. */
export function assertPathsApart(kind: ExpressionKind, paths: readonly Path[]): void {
  if (paths.length < 2) return
  const root: Node = { path: undefined, children: new Map() }
  let conflict: readonly [Path, Path] | undefined
  for (const path of paths) {
    let node = root
    for (const segment of path) {
      if (node.path !== undefined) throw clash(kind, 'overlap', node.path, path)
      if (conflict === undefined) {
        const other = childOfOtherKind(node, segment)
        if (other !== undefined) conflict = [anyPathBelow(other), path]
      }
      node = childFor(node, segment)
    }
    if (node.path !== undefined || node.children.size > 0) throw clash(kind, 'overlap', anyPathBelow(node), path)
    node.path = path
  }
  if (conflict !== undefined) throw clash(kind, 'conflict', ...conflict)
}

interface Node {
  path: Path | undefined
  readonly children: Map<string | number, Node>
}

function childFor(node: Node, segment: PathSegment): Node {
  const key = segment.kind === 'name' ? segment.name : segment.index
  const known = node.children.get(key)
  if (known !== undefined) return known
  const child: Node = { path: undefined, children: new Map() }
  node.children.set(key, child)
  return child
}

/** The children of a node are of one kind until the first conflict, so that the first child shows which. */
function childOfOtherKind(node: Node, segment: PathSegment): Node | undefined {
  for (const [key, child] of node.children) {
    return (typeof key === 'string') === (segment.kind === 'name') ? undefined : child
  }
  return undefined
}

function anyPathBelow(node: Node): Path {
  let below = node
  while (below.path === undefined) {
    const [child] = below.children.values()
    if (child === undefined) throw new Error('every branch ends in a path')
    below = child
  }
  return below.path
}

function clash(kind: ExpressionKind, how: 'overlap' | 'conflict', one: Path, two: Path): Error {
  return invalidExpression(
    kind,
    `Two document paths ${how} with each other; must remove or rewrite one of these paths; ` +
      `path one: ${pathText(one)}, path two: ${pathText(two)}`,
  )
}
