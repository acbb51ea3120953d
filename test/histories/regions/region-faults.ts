import type { Randomness } from '../../support/randomness.ts'
import type { ServerGroup } from '../servers/server-group.ts'

/** Isolates regions and heals them, through whichever server answers. */
export class RegionFaults {
  readonly counts: Record<string, number> = {}
  readonly #group: ServerGroup
  readonly #regions: readonly string[]
  readonly #random: Randomness
  readonly #everyMs: number

  constructor(group: ServerGroup, regions: readonly string[], random: Randomness, everyMs: number) {
    this.#group = group
    this.#regions = regions
    this.#random = random
    this.#everyMs = everyMs
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const region = this.#random.oneOf(this.#regions)
      // Mostly one at a time; sometimes a second one, so that nobody serves.
      const action = this.#random.chance(0.5) ? 'isolate' : this.#random.chance(0.8) ? 'heal' : 'heal all'
      const path = action === 'heal all' ? 'heal' : `${action}?region=${region}`
      if (await this.#ask(path)) this.counts[action] = (this.counts[action] ?? 0) + 1
      const endMs = performance.now() + this.#random.next() * 2 * this.#everyMs
      while (performance.now() < endMs && !isOver()) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async healAll(): Promise<void> {
    while (!(await this.#ask('heal'))) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  async #ask(path: string): Promise<boolean> {
    const { proxy } = this.#random.oneOf(this.#group.servers)
    try {
      const url = `http://127.0.0.1:${proxy.port}/_hashrange/regions/${path}`
      return (await fetch(url, { method: 'POST', signal: AbortSignal.timeout(5_000) })).ok
    } catch {
      return false
    }
  }
}
