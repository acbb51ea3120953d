import type { Operation } from './history.ts'

/** Finds out whether there is an order of the operations, one after the other, that explains all that was read, and in which an
 *  operation that ended before another began comes before it. Answers what is wrong, or nothing.
 *
 *  The method is Elle's (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", 2020): since lists
 *  only grow, what was read gives the order of appends to each list; from that follow the operations that must come before others;
 *  and there is an order exactly if nothing must come before itself. */
export function checkSerializable(operations: readonly Operation[]): string | undefined {
  const longest = longestReads(operations)
  if (typeof longest === 'string') return longest
  const writers = writersOf(operations)
  const graph = new Graph()
  for (const [key, values] of longest) {
    for (const value of values) {
      if (!writers.has(nameOf(key, value))) return `${key} holds ${value}, which nobody appended`
    }
    const seen = new Set(values)
    if (seen.size !== values.length) return `${key} holds a value twice: ${values.join(' ')}`
  }
  const missing = missingAppend(operations, longest)
  if (missing !== undefined) return missing
  for (const operation of operations) addDependencies(graph, operation, longest, writers)
  addTime(graph, operations)
  const cycle = graph.cycle()
  return cycle && `no order explains what was read: ${describeCycle(cycle, operations)}`
}

/** Of each list, what it held when most had been appended. All other reads must be beginnings of it. */
function longestReads(operations: readonly Operation[]): Map<string, readonly string[]> | string {
  const longest = new Map<string, readonly string[]>()
  for (const { reads } of operations) {
    for (const [key, values] of reads) {
      const known = longest.get(key) ?? []
      const [shorter, longer] = values.length < known.length ? [values, known] : [known, values]
      const position = shorter.findIndex((value, index) => value !== longer[index])
      if (position >= 0) {
        return `${key} was read with ${shorter[position]} and with ${longer[position]} at position ${position}`
      }
      longest.set(key, longer)
    }
  }
  return longest
}

function writersOf(operations: readonly Operation[]): Map<string, Operation> {
  const writers = new Map<string, Operation>()
  for (const operation of operations) {
    for (const [key, value] of operation.appends) writers.set(nameOf(key, value), operation)
  }
  return writers
}

/** The last reads come after everything: an append that was acknowledged and is not in them was lost. */
function missingAppend(
  operations: readonly Operation[],
  longest: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const held = new Map([...longest].map(([key, values]) => [key, new Set(values)]))
  for (const { id, appends, completedAtMs } of operations) {
    if (completedAtMs === Infinity) continue
    for (const [key, value] of appends) {
      if (held.get(key)?.has(value) !== true) return `operation ${id} appended ${value} to ${key}, and it was lost`
    }
  }
  return undefined
}

function addDependencies(
  graph: Graph,
  operation: Operation,
  longest: ReadonlyMap<string, readonly string[]>,
  writers: ReadonlyMap<string, Operation>,
): void {
  const writerOf = (key: string, value: string | undefined): Operation | undefined =>
    value === undefined ? undefined : writers.get(nameOf(key, value))
  for (const [key, values] of operation.reads) {
    // It comes after what it saw last, and before what it did not see.
    graph.add(writerOf(key, values.at(-1)), operation)
    graph.add(operation, writerOf(key, longest.get(key)?.[values.length]))
  }
  for (const [key, value] of operation.appends) {
    const order = longest.get(key) ?? []
    const position = order.indexOf(value)
    if (position > 0) graph.add(writerOf(key, order[position - 1]), operation)
  }
}

/** Time passes from event to event: an operation that has ended leads to the next moment, a moment to what begins after it. */
function addTime(graph: Graph, operations: readonly Operation[]): void {
  const events = operations.flatMap((operation) => [
    { atMs: operation.invokedAtMs, operation, isEnd: false },
    { atMs: operation.completedAtMs, operation, isEnd: true },
  ])
  // Of what happens at the same moment, beginnings come first: they are not after anything then.
  events.sort((one, other) => one.atMs - other.atMs || Number(one.isEnd) - Number(other.isEnd))
  let moment: Moment | undefined
  for (const { operation, isEnd, atMs } of events) {
    if (atMs === Infinity) break
    if (!isEnd) {
      graph.add(moment, operation)
      continue
    }
    const next: Moment = { moment: atMs }
    graph.add(operation, next)
    graph.add(moment, next)
    moment = next
  }
}

interface Moment {
  readonly moment: number
}

type Node = Operation | Moment

class Graph {
  readonly #after = new Map<Node, Set<Node>>()

  add(before: Node | undefined, after: Node | undefined): void {
    if (before === undefined || after === undefined || before === after) return
    const known = this.#after.get(before)
    if (known === undefined) this.#after.set(before, new Set([after]))
    else known.add(after)
  }

  /** Depth first, without recursion: histories are long. */
  cycle(): readonly Node[] | undefined {
    const done = new Set<Node>()
    for (const start of this.#after.keys()) {
      if (done.has(start)) continue
      const path: { readonly node: Node; readonly next: Iterator<Node> }[] = []
      const onPath = new Set<Node>()
      const enter = (node: Node): void => {
        path.push({ node, next: (this.#after.get(node) ?? new Set<Node>()).values() })
        onPath.add(node)
      }
      enter(start)
      while (path.length > 0) {
        const top = path.at(-1)
        const step = top?.next.next()
        if (top === undefined || step === undefined) break
        if (step.done === true) {
          path.pop()
          onPath.delete(top.node)
          done.add(top.node)
        } else if (onPath.has(step.value)) {
          const nodes = path.map(({ node }) => node)
          return nodes.slice(nodes.indexOf(step.value))
        } else if (!done.has(step.value)) {
          enter(step.value)
        }
      }
    }
    return undefined
  }
}

function describeCycle(cycle: readonly Node[], operations: readonly Operation[]): string {
  const startMs = Math.min(...operations.map(({ invokedAtMs }) => invokedAtMs))
  return cycle
    .filter((node): node is Operation => 'id' in node)
    .map(({ id, client, invokedAtMs, completedAtMs, appends, reads }) => {
      const wrote = [...appends].map(([key, value]) => `${key}+${value}`).join(' ')
      const saw = [...reads]
        .map(([key, values]) => `${key}=…${values.slice(-3).join(',')} (${values.length})`)
        .join(' ')
      return `#${id} ${client} [${(invokedAtMs - startMs).toFixed(1)}–${(completedAtMs - startMs).toFixed(1)} ms] ${wrote} ${saw}`
    })
    .join(' → ')
}

function nameOf(key: string, value: string): string {
  return `${key} ${value}`
}
