import type { Decision, IsSpare, Key, MaybePromise, OpenSnapshot, Snapshot, Store, Value } from './store.ts'

/** What only some stores can do. */
export type StoreAbility = {
  [Member in keyof Store]-?: undefined extends Store[Member] ? Member : never
}[keyof Store]

/** A record, so that the compiler notices one that is missing. */
const abilities: Readonly<Record<StoreAbility, true>> = {
  shared: true,
  viewsSeveralMoments: true,
  viewEventually: true,
  probe: true,
  whatIsMissing: true,
  follow: true,
  verify: true,
  compact: true,
  time: true,
  refresh: true,
  figures: true,
  lastSequence: true,
}

/** A store on top of another one, which does everything as that one does. Subclasses do some of it differently. */
export class StoreAbove implements Store {
  readonly shared?: boolean
  readonly viewsSeveralMoments?: boolean
  readonly viewEventually?: NonNullable<Store['viewEventually']>
  readonly probe?: NonNullable<Store['probe']>
  readonly whatIsMissing?: NonNullable<Store['whatIsMissing']>
  readonly follow?: NonNullable<Store['follow']>
  readonly verify?: NonNullable<Store['verify']>
  readonly compact?: NonNullable<Store['compact']>
  readonly time?: NonNullable<Store['time']>
  readonly refresh?: NonNullable<Store['refresh']>
  readonly figures?: NonNullable<Store['figures']>
  readonly lastSequence?: NonNullable<Store['lastSequence']>
  readonly underneath: Store

  /** `withheld` names what the store underneath can do, and this one cannot, or does in its own way. */
  constructor(underneath: Store, withheld: readonly StoreAbility[] = []) {
    this.underneath = underneath
    const passedOn: Partial<Record<StoreAbility, unknown>> = {}
    for (const name of Object.keys(abilities) as StoreAbility[]) {
      const ability = underneath[name]
      if (ability === undefined || withheld.includes(name)) continue
      passedOn[name] = typeof ability === 'function' ? ability.bind(underneath) : ability
    }
    Object.assign(this, passedOn)
  }

  view<T>(read: (snapshot: Snapshot) => MaybePromise<T>): MaybePromise<T> {
    return this.underneath.view(read)
  }

  openSnapshot(): MaybePromise<OpenSnapshot> {
    return this.underneath.openSnapshot()
  }

  transact<T>(
    keys: readonly Key[],
    decide: (values: readonly (Value | undefined)[]) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    return this.underneath.transact(keys, decide, isSpare)
  }

  close(): Promise<void> {
    return this.underneath.close()
  }
}
