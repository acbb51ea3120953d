import { setTimeout as pause } from 'node:timers/promises'

/** Often enough to notice half a second, and seldom enough not to disturb what is measured. */
const lookEveryMs = 200

/** How late replication is while something else is measured. */
export class LagWatch {
  readonly #port: number
  mostMs = 0

  constructor(port: number) {
    this.#port = port
  }

  /** Looks until `running` has ended. */
  async during<T>(running: Promise<T>): Promise<T> {
    const looking = new AbortController()
    const ended = running.finally(() => looking.abort())
    while (!looking.signal.aborted) {
      await Promise.race([pause(lookEveryMs), ended])
      this.mostMs = Math.max(this.mostMs, await this.#lagMs())
    }
    return ended
  }

  /** How many changes must still be sent. */
  async pending(): Promise<number> {
    return (await this.#links()).reduce((sum, { pending }) => sum + pending, 0)
  }

  async #lagMs(): Promise<number> {
    const links = await this.#links()
    return Math.max(0, ...links.filter(({ pending }) => pending > 0).map(({ lagMs }) => lagMs))
  }

  async #links(): Promise<readonly Link[]> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/_hashrange/regions`)
    const { links } = (await response.json()) as { readonly links: readonly Link[] }
    return links
  }
}

interface Link {
  readonly pending: number
  readonly lagMs: number
}
