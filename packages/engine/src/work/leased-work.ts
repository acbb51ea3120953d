import type { BackgroundWork, Stopping } from './background-work.ts'
import type { Lease, Leases } from './leases.ts'
import { MustWait } from './must-wait.ts'
import type { UnfinishedWork } from './unfinished-work.ts'

/** Background work that one server of a store does at a time. */
export class LeasedWork {
  readonly #background: BackgroundWork
  readonly #leases: Leases

  constructor(background: BackgroundWork, leases: Leases) {
    this.#background = background
    this.#leases = leases
  }

  /** Does some work, unless another server is already doing it. */
  begin({ name, run }: UnfinishedWork): void {
    this.#background.run(async (stopping) => {
      try {
        await this.#leases.hold(name, stopping, run)
      } catch (error) {
        if (!(error instanceof MustWait)) throw error
      }
    })
  }

  /** Recurring work. */
  every(name: string, pauseMs: number, work: (lease: Lease) => Promise<void>): void {
    this.#background.every(pauseMs, async (stopping) => {
      await this.#leases.hold(name, stopping, work)
    })
  }

  /** Does some work now, unless another server is doing it. */
  hold(name: string, stopping: Stopping, work: (lease: Lease) => Promise<void>): Promise<boolean> {
    return this.#leases.hold(name, stopping, work)
  }

  /** Whether this server does the work. */
  isDoing(name: string): boolean {
    return this.#leases.isHeld(name)
  }
}
