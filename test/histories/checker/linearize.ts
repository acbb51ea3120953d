import { applyItemAction, type Held, type ItemOperation } from './item-operation.ts'

export type Verdict = 'linearizable' | 'not linearizable' | 'undecided'

/** Finds out whether the operations on one item can be put in an order that explains every answer, each at a moment between its beginning and
 *  its end. Those without an answer may have happened at any moment after their beginning, or never.
 *
 *  It is Wing and Gong's search, with Lowe's memory of what was tried ("Testing for linearizability", 2017): where the same operations
 *  were put in another order with the same result, nothing new can follow. `mostSteps` bounds it; long histories of one item
 *  with many operations at the same time can take for ever, and are better avoided. */
export function linearize(all: readonly ItemOperation[], mostSteps = 2_000_000): Verdict {
  const operations = withoutUnseen(all)
  const head = eventsOf(operations)
  const done = new Uint16Array(Math.ceil(operations.length / bitsPerWord))
  const tried = new Set<string>()
  const path: { readonly event: Event; readonly before: Held }[] = []
  let held: Held
  let left = operations.filter(({ answer }) => answer !== undefined).length
  let event = head.next
  for (let steps = 0; steps < mostSteps; steps++) {
    // All that were answered are in order; the others need not have happened.
    if (left === 0) return 'linearizable'
    if (event !== undefined && event.end !== 'end') {
      const after = applyItemAction(held, event.operation)
      if (after !== undefined) {
        flip(done, event.index)
        const state = `${String.fromCharCode(...done)}${after.held}`
        if (!tried.has(state)) {
          tried.add(state)
          path.push({ event, before: held })
          held = after.held
          if (event.operation.answer !== undefined) left--
          lift(event)
          event = head.next
          continue
        }
        flip(done, event.index)
      }
      event = event.next
      continue
    }
    // An operation ended that could not be put anywhere before: one of those before it was put wrongly.
    const last = path.pop()
    if (last === undefined) return 'not linearizable'
    held = last.before
    flip(done, last.event.index)
    if (last.event.operation.answer !== undefined) left++
    unlift(last.event)
    event = last.event.next
  }
  return 'undecided'
}

/** An operation without an answer whose value nobody has seen may as well never have happened: if there is an order with it, there is
 *  one without it. A server that is stopped leaves dozens of them, and each would double the search. */
function withoutUnseen(operations: readonly ItemOperation[]): readonly ItemOperation[] {
  // What follows from an addition, or from a refusal that does not tell why, depends on values that nobody has seen.
  const isBlind = ({ action, answer }: ItemOperation): boolean =>
    action.kind === 'add' || (answer !== undefined && !answer.isDone && answer.before === undefined)
  if (operations.some(isBlind)) return operations
  const seen = new Set<Held>()
  for (const { action, answer } of operations) {
    if (answer?.before !== undefined) seen.add(answer.before.held)
    if (answer?.isDone === true && action.kind === 'compare and set') seen.add(action.expected)
  }
  const unanswered = operations.filter(({ answer }) => answer === undefined)
  for (let before = -1; before < seen.size;) {
    before = seen.size
    for (const { action } of unanswered) {
      if (action.kind === 'compare and set' && seen.has(action.value)) seen.add(action.expected)
    }
  }
  return operations.filter(({ action, answer }) => {
    if (answer !== undefined) return true
    if (action.kind === 'delete') return seen.has(undefined)
    return 'value' in action && seen.has(action.value)
  })
}

const bitsPerWord = 16

function flip(bits: Uint16Array, index: number): void {
  const word = Math.floor(index / bitsPerWord)
  bits[word] = (bits[word] ?? 0) ^ (1 << (index % bitsPerWord))
}

/** Beginnings and ends in the order of time, as a list from which an operation is taken out when it is put in order, and into which it
 *  comes back. */
interface Event {
  readonly operation: ItemOperation
  readonly index: number
  /** That of a beginning, if it has one; of an end, that it is one. */
  readonly end: Event | 'end' | undefined
  previous: { next: Event | undefined } | undefined
  next: Event | undefined
}

function eventsOf(operations: readonly ItemOperation[]): { next: Event | undefined } {
  const events: { readonly atMs: number; readonly event: Event }[] = []
  operations.forEach((operation, index) => {
    const { startedAtMs, endedAtMs, answer } = operation
    const end: Event | undefined =
      answer === undefined ? undefined : { operation, index, end: 'end', previous: undefined, next: undefined }
    events.push({ atMs: startedAtMs, event: { operation, index, end, previous: undefined, next: undefined } })
    if (end !== undefined) events.push({ atMs: endedAtMs, event: end })
  })
  // In the same moment, what begins is not after what ends.
  events.sort(
    (one, other) => one.atMs - other.atMs || Number(one.event.end === 'end') - Number(other.event.end === 'end'),
  )
  triedLast(events)
  const head: { next: Event | undefined } = { next: undefined }
  let previous: { next: Event | undefined } = head
  for (const { event } of events) {
    event.previous = previous
    previous.next = event
    previous = event
  }
  return head
}

/** Of what begins before the same end, that which has no answer is tried last: mostly it has not happened yet, or never will. */
function triedLast(events: { readonly atMs: number; readonly event: Event }[]): void {
  let from = 0
  for (let at = 0; at <= events.length; at++) {
    const { event } = events[at] ?? {}
    if (event !== undefined && event.end !== 'end') continue
    const begun = events.slice(from, at)
    const answered = begun.filter((one) => one.event.end !== undefined)
    const others = begun.filter((one) => one.event.end === undefined)
    events.splice(from, begun.length, ...answered, ...others)
    from = at + 1
  }
}

function lift(begin: Event): void {
  unlink(begin)
  if (typeof begin.end === 'object') unlink(begin.end)
}

function unlift(begin: Event): void {
  if (typeof begin.end === 'object') link(begin.end)
  link(begin)
}

function unlink(event: Event): void {
  if (event.previous !== undefined) event.previous.next = event.next
  if (event.next !== undefined) event.next.previous = event.previous
}

function link(event: Event): void {
  if (event.previous !== undefined) event.previous.next = event
  if (event.next !== undefined) event.next.previous = event
}
