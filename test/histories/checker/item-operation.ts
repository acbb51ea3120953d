/** What a client did with one item that holds one number, or is not there. */
export interface ItemOperation {
  readonly id: number
  readonly client: string
  readonly key: string
  readonly startedAtMs: number
  /** Infinite where no answer came. */
  readonly endedAtMs: number
  readonly action: ItemAction
  /** Nothing where no answer came: it has happened at some time, or never. */
  readonly answer: ItemAnswer | undefined
}

/** The number an item holds; `undefined` if there is none. */
export type Held = number | undefined

export type ItemAction =
  | { readonly kind: 'read' }
  | { readonly kind: 'write'; readonly value: number }
  | { readonly kind: 'delete' }
  /** Writes only if the item holds what is expected; of what is not there, only if there is none: a claim. */
  | { readonly kind: 'compare and set'; readonly expected: Held; readonly value: number }
  | { readonly kind: 'add'; readonly amount: number }

/** What the item held before, so far as the answer tells: of an addition, before it; of a comparison that failed, then. */
export interface ItemAnswer {
  readonly isDone: boolean
  /** Missing where the answer does not tell. */
  readonly before?: { readonly held: Held }
}

/** What the item holds afterwards, and whether the answer fits. */
export function applyItemAction(
  held: Held,
  { action, answer }: ItemOperation,
): { readonly held: Held } | undefined {
  if (answer?.before !== undefined && answer.before.held !== held) return undefined
  switch (action.kind) {
    case 'read':
      return { held }
    case 'write':
      return { held: action.value }
    case 'delete':
      return { held: undefined }
    case 'add':
      return { held: (held ?? 0) + action.amount }
    case 'compare and set': {
      const holds = held === action.expected
      if (answer !== undefined && answer.isDone !== holds) return undefined
      return { held: holds ? action.value : held }
    }
  }
}

export function describeItemOperation({
  id,
  client,
  startedAtMs,
  endedAtMs,
  action,
  answer,
}: ItemOperation): string {
  const end = endedAtMs === Infinity ? '?' : endedAtMs.toFixed(3)
  const before = answer?.before === undefined ? '' : `, and it held ${answer.before.held ?? 'nothing'}`
  const outcome = answer === undefined ? 'no answer came' : `${answer.isDone ? 'done' : 'refused'}${before}`
  return `O${id} (${client}, ${startedAtMs.toFixed(3)}–${end} ms): ${describeAction(action)}: ${outcome}`
}

function describeAction(action: ItemAction): string {
  switch (action.kind) {
    case 'read':
    case 'delete':
      return action.kind
    case 'write':
      return `write ${action.value}`
    case 'add':
      return `add ${action.amount}`
    case 'compare and set':
      return `write ${action.value} if it holds ${action.expected ?? 'nothing'}`
  }
}
