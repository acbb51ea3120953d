import { lengthOf, type Transaction } from './transaction.ts'
import type { VersionOrders } from './version-orders.ts'

/** Why one transaction comes before another. */
export const edgeKinds = {
  /** Both appended to one list, one right after the other. */
  ww: 1,
  /** One read what the other had appended. */
  wr: 2,
  /** One did not see what the other appended. */
  rw: 4,
  /** One had ended before the other began. */
  time: 8,
} as const

/** Transactions and what must come before what. Nodes below `transactions` are places in the history; those above are moments, which
 *  bring the order in time: what has ended leads to a moment, a moment to the next one and to what began after it. So the edges of
 *  time are as many as the events, not as the pairs. */
export interface DependencyGraph {
  readonly nodes: number
  readonly transactions: number
  /** Edges from node n are those from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Int32Array
  readonly targets: Int32Array
  readonly kinds: Uint8Array
}

export function buildGraph(history: readonly Transaction[], versions: VersionOrders): DependencyGraph {
  const edges = new EdgeList()
  const isObserved = observedNodes(history, versions)
  addVersionOrders(edges, versions)
  const readsOfAll = new Map<string, number[]>()
  history.forEach((transaction, node) => addReads(edges, transaction, node, versions, readsOfAll))
  addUnseenAppends(edges, history, versions, isObserved, readsOfAll)
  const moments = addTime(edges, history, isObserved)
  return edges.toGraph(history.length, history.length + moments)
}

/** A transaction without an answer has happened if anybody saw something of it. */
function observedNodes(history: readonly Transaction[], { orders, writers }: VersionOrders): Uint8Array {
  const isObserved = new Uint8Array(history.length)
  history.forEach(({ outcome }, node) => {
    if (outcome !== 'unknown') isObserved[node] = 1
  })
  for (const values of orders.values()) {
    for (const value of values) {
      const writer = writers.get(value)
      if (writer !== undefined) isObserved[writer.node] = 1
    }
  }
  return isObserved
}

function addVersionOrders(edges: EdgeList, { orders, writers }: VersionOrders): void {
  for (const values of orders.values()) {
    let before: number | undefined
    for (const value of values) {
      const node = writers.get(value)?.node
      edges.add(before, node, edgeKinds.ww)
      before = node
    }
  }
}

function addReads(
  edges: EdgeList,
  transaction: Transaction,
  node: number,
  { orders, writers }: VersionOrders,
  readsOfAll: Map<string, number[]>,
): void {
  const writerOf = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : writers.get(value)?.node
  for (const read of transaction.reads) {
    const order = orders.get(read.key) ?? []
    const length = lengthOf(read)
    // It comes after what it saw last, and before what it did not see.
    edges.add(writerOf(order[length - 1]), node, edgeKinds.wr)
    if (length < order.length) edges.add(node, writerOf(order[length]), edgeKinds.rw)
    else {
      const readers = readsOfAll.get(read.key)
      if (readers === undefined) readsOfAll.set(read.key, [node])
      else readers.push(node)
    }
  }
}

/** An append that has happened and that no read shows comes after all those that reads show, and after the reads themselves. */
function addUnseenAppends(
  edges: EdgeList,
  history: readonly Transaction[],
  { orders, writers }: VersionOrders,
  isObserved: Uint8Array,
  readsOfAll: ReadonlyMap<string, readonly number[]>,
): void {
  const shown = new Set<number>()
  for (const values of orders.values()) for (const value of values) shown.add(value)
  history.forEach(({ outcome, appends }, node) => {
    if (outcome === 'aborted' || isObserved[node] === 0) return
    for (const { key, values } of appends) {
      if (values.some((value) => shown.has(value))) continue
      const last = orders.get(key)?.at(-1)
      edges.add(last === undefined ? undefined : writers.get(last)?.node, node, edgeKinds.ww)
      for (const reader of readsOfAll.get(key) ?? []) edges.add(reader, node, edgeKinds.rw)
    }
  })
}

/** Answers how many moments there are. */
function addTime(edges: EdgeList, history: readonly Transaction[], isObserved: Uint8Array): number {
  const nodes = history.flatMap((_, node) => (isObserved[node] === 1 ? [node] : []))
  const start = (node: number): number => history[node]?.startedAtMs ?? 0
  const end = (node: number): number => history[node]?.endedAtMs ?? Infinity
  const byStart = nodes.toSorted((one, other) => start(one) - start(other))
  const byEnd = nodes.filter((node) => end(node) < Infinity).toSorted((one, other) => end(one) - end(other))
  let moments = 0
  let ended = 0
  for (const node of byStart) {
    // What ends in the very moment in which another begins is not before it.
    const isNew = ended < byEnd.length && end(byEnd[ended] ?? 0) < start(node)
    if (isNew) {
      const moment = history.length + moments
      if (moments > 0) edges.add(moment - 1, moment, edgeKinds.time)
      for (; ended < byEnd.length && end(byEnd[ended] ?? 0) < start(node); ended++) {
        edges.add(byEnd[ended], moment, edgeKinds.time)
      }
      moments++
    }
    if (moments > 0) edges.add(history.length + moments - 1, node, edgeKinds.time)
  }
  return moments
}

/** Edges as they come, in memory that is a few bytes for each. */
class EdgeList {
  #count = 0
  #from = new Int32Array(1024)
  #to = new Int32Array(1024)
  #kind = new Uint8Array(1024)

  add(from: number | undefined, to: number | undefined, kind: number): void {
    if (from === undefined || to === undefined || from === to) return
    if (this.#count === this.#from.length) this.#grow()
    this.#from[this.#count] = from
    this.#to[this.#count] = to
    this.#kind[this.#count] = kind
    this.#count++
  }

  toGraph(transactions: number, nodes: number): DependencyGraph {
    const starts = new Int32Array(nodes + 1)
    for (let edge = 0; edge < this.#count; edge++)
      starts[at(this.#from, edge) + 1] = at(starts, at(this.#from, edge) + 1) + 1
    for (let node = 0; node < nodes; node++) starts[node + 1] = at(starts, node + 1) + at(starts, node)
    const next = starts.slice()
    const targets = new Int32Array(this.#count)
    const kinds = new Uint8Array(this.#count)
    for (let edge = 0; edge < this.#count; edge++) {
      const from = at(this.#from, edge)
      const place = at(next, from)
      next[from] = place + 1
      targets[place] = at(this.#to, edge)
      kinds[place] = at(this.#kind, edge)
    }
    return { nodes, transactions, starts, targets, kinds }
  }

  #grow(): void {
    const double = <Numbers extends Int32Array | Uint8Array>(numbers: Numbers, larger: Numbers): Numbers => {
      larger.set(numbers)
      return larger
    }
    this.#from = double(this.#from, new Int32Array(this.#count * 2))
    this.#to = double(this.#to, new Int32Array(this.#count * 2))
    this.#kind = double(this.#kind, new Uint8Array(this.#count * 2))
  }
}

/** An element that is known to be there. */
export function at(numbers: Int32Array | Uint8Array, index: number): number {
  return numbers[index] as number
}
