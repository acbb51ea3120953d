import { regionConditionsKey } from '../layout/replication-keys.ts'
import type { Store } from '../store/store.ts'
import {
  isCutOff,
  parseConditions,
  type RegionCondition,
  type RegionConditions,
} from '../strong/region-conditions.ts'

/** The link between two regions. */
export interface RegionLink {
  readonly isCut: boolean
  readonly lagMs: number
}

const intact: RegionLink = { isCut: false, lagMs: 0 }

/** The regions that were isolated, slowed or taken down, to see what becomes of everything else. All servers of a store
 *  share them. */
export class Regions {
  readonly #store: Store
  #conditions: RegionConditions = {}
  #isAnyDown = false

  readonly #onChange: () => Promise<void>

  /** `onChange` is called when a region was cut off or healed, and waited for. */
  constructor(store: Store, onChange: () => Promise<void> = () => Promise.resolve()) {
    this.#store = store
    this.#onChange = onChange
  }

  /** The regions with which something is wrong. */
  get conditions(): RegionConditions {
    return this.#conditions
  }

  /** What other servers may have changed. */
  async refresh(): Promise<void> {
    const value = await this.#store.view((snapshot) => snapshot.get(regionConditionsKey()))
    this.#use(parseConditions(value))
  }

  linkBetween(one: string, other: string): RegionLink {
    const ends = [this.#conditions[one], this.#conditions[other]]
    if (ends[0] === undefined && ends[1] === undefined) return intact
    return {
      isCut: ends.some(isCutOff),
      lagMs: Math.max(...ends.map((end) => end?.lagMs ?? 0)),
    }
  }

  isDown(region: string): boolean {
    return this.#conditions[region]?.isDown === true
  }

  /** Whether any region is down: requests only look further then. */
  get isAnyDown(): boolean {
    return this.#isAnyDown
  }

  /** Cuts a region off: changes neither go to it nor come from it. Requests to it work. */
  isolate(region: string): Promise<void> {
    return this.change(region, { isIsolated: true })
  }

  /** Delays what goes to a region and comes from it. */
  lag(region: string, lagMs: number): Promise<void> {
    return this.change(region, { lagMs: lagMs > 0 ? lagMs : undefined })
  }

  /** Takes a region down: requests to it fail, and it is cut off. */
  down(region: string): Promise<void> {
    return this.change(region, { isDown: true })
  }

  up(region: string): Promise<void> {
    return this.change(region, { isDown: undefined })
  }

  /** Ends whatever is wrong with a region, or with all of them. */
  async heal(region?: string): Promise<void> {
    // Another server may have changed something a moment ago.
    if (region === undefined) await this.refresh()
    const healed = { isIsolated: undefined, isDown: undefined, lagMs: undefined }
    for (const one of region === undefined ? Object.keys(this.#conditions) : [region])
      await this.change(one, healed)
  }

  /** Changes the condition of a region; members that are undefined end. */
  async change(region: string, change: RegionCondition): Promise<void> {
    const conditions = await this.#store.transact([regionConditionsKey()], ([value]) => {
      const { [region]: before, ...others } = parseConditions(value)
      const after = Object.fromEntries(
        Object.entries({ ...before, ...change }).filter(([, member]) => member !== undefined),
      )
      const changed = Object.keys(after).length === 0 ? others : { ...others, [region]: after }
      return {
        writes: [{ kind: 'put', key: regionConditionsKey(), value: Buffer.from(JSON.stringify(changed)) }],
        answer: changed,
      }
    })
    this.#use(conditions)
    await this.#onChange()
  }

  #use(conditions: RegionConditions): void {
    this.#conditions = conditions
    this.#isAnyDown = Object.values(conditions).some(({ isDown }) => isDown === true)
  }
}
