import { componentsOf } from './components.ts'
import { at, edgeKinds, type DependencyGraph } from './dependency-graph.ts'

/** One step of a cycle. */
export interface Step {
  readonly from: number
  readonly to: number
  readonly kind: keyof typeof edgeKinds
}

/** A cycle of transactions, by the name of the worst isolation level that it would still be allowed under. */
export interface Cycle {
  readonly kind: 'G0' | 'G1c' | 'G-single' | 'G2'
  /** Whether it takes the order in time to close it: then transactions are serializable, but not in an order that clients could agree with. */
  readonly needsTime: boolean
  readonly steps: readonly Step[]
}

/** Cycles that say most: first those of writes alone, then with reads, with one read that missed something, with several; all of these first
 *  without the order in time. Of each kind and group it is the shortest, and what has one already gets no other. */
export function findCycles(graph: DependencyGraph): readonly Cycle[] {
  const { ww, wr, rw, time } = edgeKinds
  const cycles: Cycle[] = []
  if (componentsOf(graph, ww | wr | rw | time).length === 0) return cycles
  const explained = new Set<number>()
  for (const needsTime of [false, true]) {
    const also = needsTime ? time : 0
    const search = (kind: Cycle['kind'], first: number, rest: number): void => {
      let found = 0
      for (const component of componentsOf(graph, first | rest | also)) {
        if (found === mostOfAKind) return
        if (component.some((node) => explained.has(node))) continue
        const steps = shortestCycle(graph, new Set(component), first, rest | also)
        if (steps === undefined) continue
        cycles.push({ kind, needsTime, steps })
        found++
        for (const { from } of steps) explained.add(from)
      }
    }
    search('G0', ww, ww)
    search('G1c', wr, ww | wr)
    search('G-single', rw, ww | wr)
    search('G2', rw, ww | wr | rw)
  }
  return cycles
}

const mostOfAKind = 3

/** The shortest cycle that has an edge of kind `first`, and goes on by edges of the kinds in `rest`. */
function shortestCycle(
  graph: DependencyGraph,
  members: ReadonlySet<number>,
  first: number,
  rest: number,
): readonly Step[] | undefined {
  let shortest: readonly Step[] | undefined
  let searches = 0
  for (const from of members) {
    for (let edge = at(graph.starts, from); edge < at(graph.starts, from + 1); edge++) {
      const to = at(graph.targets, edge)
      if (at(graph.kinds, edge) !== first || !members.has(to)) continue
      // In a large component every search is long, and a good explanation is as good as the best.
      if (++searches > mostSearches) return shortest
      const path = shortestPath(graph, members, to, from, rest, (shortest?.length ?? Infinity) - 2)
      if (path === undefined) continue
      shortest = [{ from, to, kind: nameOf(first) }, ...path]
      if (shortest.length === 2) return shortest
    }
  }
  return shortest
}

const mostSearches = 500

/** Breadth first, up to `most` steps. Moments on the way cost nothing: together they are one step in time. */
function shortestPath(
  graph: DependencyGraph,
  members: ReadonlySet<number>,
  start: number,
  goal: number,
  kinds: number,
  most: number,
): readonly Step[] | undefined {
  const cameBy = new Map<number, { readonly node: number; readonly kind: number } | undefined>([[start, undefined]])
  let layer = [start]
  for (let steps = 1; layer.length > 0 && steps <= most; steps++) {
    const next: number[] = []
    // The layer grows while it is walked through, by the moments that belong to it.
    for (const node of layer) {
      for (let edge = at(graph.starts, node); edge < at(graph.starts, node + 1); edge++) {
        const target = at(graph.targets, edge)
        const kind = at(graph.kinds, edge)
        if ((kind & kinds) === 0 || cameBy.has(target) || !members.has(target)) continue
        cameBy.set(target, { node, kind })
        if (target === goal) return stepsTo(graph, cameBy, goal)
        if (target >= graph.transactions) layer.push(target)
        else next.push(target)
      }
    }
    layer = next
  }
  return undefined
}

function stepsTo(
  graph: DependencyGraph,
  cameBy: ReadonlyMap<number, { readonly node: number; readonly kind: number } | undefined>,
  goal: number,
): readonly Step[] {
  const steps: Step[] = []
  let to = goal
  for (let by = cameBy.get(goal); by !== undefined; by = cameBy.get(to)) {
    let { node } = by
    while (node >= graph.transactions) node = cameBy.get(node)?.node ?? 0
    steps.unshift({ from: node, to, kind: nameOf(by.kind) })
    to = node
  }
  return steps
}

function nameOf(kind: number): Step['kind'] {
  const [name] = Object.entries(edgeKinds).find(([, value]) => value === kind) ?? []
  return name as Step['kind']
}
