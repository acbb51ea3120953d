import type { StoredItem } from '../client/entity-runtime.ts'
import type { AmountContribution, Contribution, Desired, EntryContribution, Target } from './contribution.ts'
import { contributionsText, targetId } from './contribution.ts'
import { addDecimals, subtractDecimals } from './decimal.ts'
import type { Mark } from './mark.ts'

/** What a source item should contribute from now on. */
export interface ContributionChange {
  readonly source: string
  /** Of the change that makes it so; undefined if the item was read from the table instead. */
  readonly position: string | undefined
  /** What its mark is taken to say as long as that is not known. */
  readonly assumed: readonly Contribution[]
  readonly desired: readonly Desired[]
  /** The contributions are to be counted in this epoch. */
  readonly epoch?: number
}

/** What is known of marks and derived items. `undefined` in a map: there is none. */
export interface Knowledge {
  readonly marks: Map<string, Mark | undefined>
  /** The epochs of derived items. */
  readonly targets: Map<string, number | undefined>
  /** The newest epoch that was seen. */
  epoch: number
}

export type PlannedWrite = MarkWrite | AmountWrite | EntryWrite

export interface MarkWrite {
  readonly kind: 'mark'
  readonly source: string
  /** What it must say now; undefined: there must be none. */
  readonly from: Mark | undefined
  readonly to: Mark
  /** It follows from what was read, not from a change. */
  readonly isRead: boolean
}

export interface AmountWrite {
  readonly kind: 'amounts'
  readonly target: Target
  /** The epoch that the derived item must have. */
  readonly epoch: number
  /** Whether it may also be missing: nothing is taken away from it. */
  readonly mayBeMissing: boolean
  readonly live: ReadonlyMap<string, string>
  /** What is added to the amounts that will take the place of these when a rebuild is done. */
  readonly shadow: ReadonlyMap<string, string>
  readonly item: StoredItem | undefined
}

export interface EntryWrite {
  readonly kind: 'put' | 'delete'
  readonly target: Target
  readonly item: StoredItem | undefined
}

/** The writes of one transaction that make source items contribute what they should, and nothing else. Pure: what is not known is
 *  assumed, and the conditions of the writes say what was assumed.
 *
 *  A derived item of an epoch contains the contributions of all marks of that epoch and of later ones. Those of later ones are
 *  also in its shadow, from which a rebuild makes the derived item of the next epoch. */
export function planContributions(
  changes: readonly ContributionChange[],
  known: Knowledge,
): readonly PlannedWrite[] {
  const plan = new Plan(changes, known)
  for (const change of changes) plan.add(change)
  return plan.writes()
}

class Plan {
  readonly #known: Knowledge
  /** No older than anything that takes part: the epoch of what is created. */
  readonly #epoch: number
  readonly #marks: MarkWrite[] = []
  readonly #entries: EntryWrite[] = []
  readonly #amounts = new Map<string, Sums>()

  constructor(changes: readonly ContributionChange[], known: Knowledge) {
    this.#known = known
    const epochs = [...known.marks.values()].map((mark) => mark?.epoch ?? 0)
    const asked = changes.map(({ epoch = 0 }) => epoch)
    this.#epoch = Math.max(
      known.epoch,
      ...epochs,
      ...asked,
      ...[...known.targets.values()].map((epoch) => epoch ?? 0),
    )
  }

  add(change: ContributionChange): void {
    const { source, position } = change
    const mark = this.#markOf(change)
    if (position !== undefined && mark?.position !== undefined && mark.position >= position) return
    const desired = change.desired.map(({ contribution }) => contribution)
    const old = mark?.contributions ?? []
    const epoch = this.#newEpoch(change, mark, [...old, ...desired])
    const isRaised = mark === undefined || epoch > mark.epoch
    // What was read from the table and is as it should be needs no write.
    const isSame = (mark === undefined || !isRaised) && contributionsText(old) === contributionsText(desired)
    if (position === undefined && isSame) return
    const to: Mark = { position: position ?? mark?.position, epoch, contributions: desired }
    this.#marks.push({ kind: 'mark', source, from: mark, to, isRead: position === undefined })
    this.#addAmounts(change, mark, epoch)
    this.#addEntries(change.desired, old, isRaised)
  }

  writes(): readonly PlannedWrite[] {
    const amounts = [...this.#amounts.values()].flatMap((sums): AmountWrite[] => {
      const { target, epoch, isMissing, takes, live, shadow, item } = sums
      // Nothing can be taken from what is not there.
      if (isMissing && item === undefined) return []
      return [{ kind: 'amounts', target, epoch, mayBeMissing: !takes, live, shadow, item }]
    })
    return [...this.#marks, ...amounts, ...this.#entries]
  }

  #markOf({ source, assumed }: ContributionChange): Mark | undefined {
    if (this.#known.marks.has(source)) return this.#known.marks.get(source)
    if (assumed.length === 0) return undefined
    return { position: undefined, epoch: this.#known.epoch, contributions: assumed }
  }

  #epochOf(id: string): number {
    return this.#known.targets.has(id) ? (this.#known.targets.get(id) ?? this.#epoch) : this.#known.epoch
  }

  #newEpoch(change: ContributionChange, mark: Mark | undefined, all: readonly Contribution[]): number {
    const targets = all
      .filter((each) => each.kind === 'amount')
      .map(({ target }) => this.#epochOf(targetId(target)))
    return Math.max(change.epoch ?? 0, mark?.epoch ?? this.#known.epoch, ...targets)
  }

  #addAmounts(change: ContributionChange, mark: Mark | undefined, epoch: number): void {
    const isRaised = mark !== undefined && epoch > mark.epoch
    const rows = new Map<string, Row>()
    for (const each of mark?.contributions ?? []) if (each.kind === 'amount') rowOf(rows, each).old = each.amount
    for (const { contribution, item } of change.desired) {
      if (contribution.kind !== 'amount') continue
      const row = rowOf(rows, contribution)
      row.new = addDecimals(row.new, contribution.amount)
      row.item = item
    }
    for (const row of rows.values()) {
      if (!isRaised && row.old === row.new) continue
      const sums = this.#sumsOf(row)
      if (row.item !== undefined) sums.item = row.item
      const isLive = mark !== undefined && mark.epoch >= sums.epoch && !sums.isMissing
      add(sums.live, row.attribute, isLive ? subtractDecimals(row.new, row.old) : row.new)
      sums.takes ||= isLive && row.old !== '0'
      if (epoch <= sums.epoch) continue
      const isInShadow = mark !== undefined && mark.epoch > sums.epoch && !sums.isMissing
      add(sums.shadow, row.attribute, isInShadow ? subtractDecimals(row.new, row.old) : row.new)
    }
  }

  #sumsOf({ target }: Row): Sums {
    const id = targetId(target)
    const found = this.#amounts.get(id)
    if (found !== undefined) return found
    const isMissing = this.#known.targets.has(id) && this.#known.targets.get(id) === undefined
    const sums: Sums = {
      target,
      epoch: this.#epochOf(id),
      isMissing,
      takes: false,
      live: new Map(),
      shadow: new Map(),
      item: undefined,
    }
    this.#amounts.set(id, sums)
    return sums
  }

  #addEntries(desired: readonly Desired[], old: readonly Contribution[], isRaised: boolean): void {
    const before = new Map(old.filter(isEntry).map((each) => [targetId(each.target), each]))
    for (const { contribution, item } of desired) {
      if (contribution.kind !== 'entry') continue
      const id = targetId(contribution.target)
      const had = before.get(id)
      before.delete(id)
      if (isRaised || had?.fingerprint !== contribution.fingerprint)
        this.#entries.push({ kind: 'put', target: contribution.target, item })
    }
    for (const { target } of before.values()) this.#entries.push({ kind: 'delete', target, item: undefined })
  }
}

interface Row {
  readonly target: Target
  readonly attribute: string
  old: string
  new: string
  item: StoredItem | undefined
}

interface Sums {
  readonly target: Target
  readonly epoch: number
  readonly isMissing: boolean
  takes: boolean
  readonly live: Map<string, string>
  readonly shadow: Map<string, string>
  item: StoredItem | undefined
}

function rowOf(rows: Map<string, Row>, { target, attribute, derivation }: AmountContribution): Row {
  const id = JSON.stringify([targetId(target), attribute, derivation])
  const found = rows.get(id)
  if (found !== undefined) return found
  const row: Row = { target, attribute, old: '0', new: '0', item: undefined }
  rows.set(id, row)
  return row
}

function add(sums: Map<string, string>, attribute: string, amount: string): void {
  sums.set(attribute, addDecimals(sums.get(attribute) ?? '0', amount))
}

function isEntry(contribution: Contribution): contribution is EntryContribution {
  return contribution.kind === 'entry'
}
