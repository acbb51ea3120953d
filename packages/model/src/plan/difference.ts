/** What a difference between two versions of a model asks for. */
export type DifferenceKind =
  /** Old and new code run side by side, on the items as they are. */
  | 'compatible'
  /** Something must be added to items that exist. */
  | 'backfill'
  /** Items that exist must be written again, under other keys or in another form. */
  | 'rewrite'
  /** While old and new code run side by side, one of them gets wrong answers. */
  | 'unsafe'

/** One difference between two versions of a model. */
export interface Difference {
  /** `Order.total`, `index open`, `table main`. */
  readonly what: string
  readonly kind: DifferenceKind
  /** What changed. */
  readonly change: string
  /** What follows from it. */
  readonly reason: string
  /** What must be done about it, in any order: the plan sorts. Empty if a deployment is enough. */
  readonly work: readonly Work[]
}

/** The order in which a change goes live. */
export const phases = [
  'prepare',
  'read both',
  'add',
  'write both',
  'write new',
  'backfill',
  'verify',
  'switch',
  'stop',
  'drop',
] as const
export type Phase = (typeof phases)[number]

export interface Work {
  readonly phase: Phase
  readonly action: string
  /** How to see that it is done. */
  readonly check: string
  /** How to undo it. */
  readonly wayBack: string
  /** The items that are read or written, for the cost. */
  readonly items?: WorkItems
}

export interface WorkItems {
  readonly entity: string
  readonly reads: boolean
  /** How often each item is written: 2 if it is written in one place and deleted in another. */
  readonly writes: number
  /** Only entries of an index are written, not the items. */
  readonly isOfIndex?: boolean
  /** A write in a transaction, or a check there, costs twice as much in the table. */
  readonly isTransaction?: boolean
  /** How many more items are read for each one: its guards, for example, and their owners. */
  readonly readsEach?: number
}
