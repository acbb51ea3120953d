import { at, type DependencyGraph } from './dependency-graph.ts'

/** The groups of nodes that lead to each other by edges of these kinds, of more than one node: Tarjan's algorithm, without recursion,
 *  because histories are long. No group means that there is an order in which everything comes after what it must come after. */
export function componentsOf(
  { nodes, starts, targets, kinds }: DependencyGraph,
  wantedKinds: number,
): readonly (readonly number[])[] {
  const components: number[][] = []
  const unvisited = -1
  const index = new Int32Array(nodes).fill(unvisited)
  const low = new Int32Array(nodes)
  const isOnStack = new Uint8Array(nodes)
  const stack: number[] = []
  const path: number[] = []
  const nextEdge = starts.slice(0, nodes)
  let visited = 0

  const enter = (node: number): void => {
    index[node] = low[node] = visited++
    isOnStack[node] = 1
    stack.push(node)
    path.push(node)
  }

  for (let start = 0; start < nodes; start++) {
    if (at(index, start) !== unvisited) continue
    enter(start)
    while (path.length > 0) {
      const node = path.at(-1) as number
      const edge = at(nextEdge, node)
      if (edge < at(starts, node + 1)) {
        nextEdge[node] = edge + 1
        if ((at(kinds, edge) & wantedKinds) === 0) continue
        const target = at(targets, edge)
        if (at(index, target) === unvisited) enter(target)
        else if (at(isOnStack, target) === 1) low[node] = Math.min(at(low, node), at(index, target))
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) low[parent] = Math.min(at(low, parent), at(low, node))
      if (at(low, node) !== at(index, node)) continue
      const component: number[] = []
      let member: number
      do {
        member = stack.pop() as number
        isOnStack[member] = 0
        component.push(member)
      } while (member !== node)
      if (component.length > 1) components.push(component)
    }
  }
  return components
}
