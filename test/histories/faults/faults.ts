import type { Randomness } from '../../support/randomness.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { ServerGroup } from '../servers/server-group.ts'

export const faultKinds = ['kill', 'stop', 'cut', 'crash', 'failover'] as const

export type FaultKind = (typeof faultKinds)[number]

export interface FaultOptions {
  readonly kinds: readonly FaultKind[]
  /** The mean time between the end of one fault and the beginning of the next. */
  readonly everyMs: number
}

/** Does to servers what happens to servers, one fault after the other. Between two runs everything works. */
export class Faults {
  readonly counts: Record<string, number> = {}
  readonly #group: ServerGroup
  readonly #random: Randomness
  readonly #options: FaultOptions

  constructor(group: ServerGroup, random: Randomness, options: FaultOptions) {
    this.#group = group
    this.#random = random
    const isPossible = (kind: FaultKind): boolean =>
      kind === 'failover'
        ? group.database?.failOver !== undefined
        : kind !== 'crash' || group.database !== undefined
    this.#options = { ...options, kinds: options.kinds.filter(isPossible) }
  }

  async run(isOver: () => boolean): Promise<void> {
    const { kinds, everyMs } = this.#options
    if (kinds.length === 0) return
    while (!isOver()) {
      await pause(this.#random.next() * 2 * everyMs, isOver)
      if (isOver()) return
      const fault = this.#choose(this.#random.oneOf(kinds))
      this.counts[fault.name] = (this.counts[fault.name] ?? 0) + 1
      await fault.happen()
    }
  }

  #choose(kind: FaultKind): Fault {
    const random = this.#random
    const { servers, storeProxies, database } = this.#group
    const server = random.oneOf(servers)
    // Most answers come within milliseconds: short ones hit as many requests as long ones.
    const someMs = random.chance(0.7) ? random.between(20, 400) : random.between(400, 3_500)
    switch (kind) {
      case 'kill':
        if (database !== undefined && random.chance(0.1))
          return { name: 'database restarted', happen: () => database.restart() }
        return this.#endAndStart(server)
      case 'crash':
      case 'failover':
        if (database === undefined) return this.#endAndStart(server)
        // A new standby is a copy of everything.
        return kind === 'failover' && random.chance(0.4)
          ? { name: 'database failed over', happen: async () => database.failOver?.() }
          : { name: 'database crashed', happen: () => database.crash() }
      case 'stop':
        if (database?.stop !== undefined && random.chance(0.4))
          return { name: 'database stopped and continued', happen: async () => database.stop?.(someMs) }
        return {
          name: 'stopped and continued',
          happen: async () => {
            server.signal('SIGSTOP')
            await pause(someMs)
            server.signal('SIGCONT')
          },
        }
      case 'cut': {
        const proxies =
          storeProxies.length > 0 && random.chance(0.4) ? storeProxies : servers.map(({ proxy }) => proxy)
        const side = proxies === storeProxies ? 'store' : 'client'
        const proxy = random.oneOf(proxies)
        const choice = random.next()
        if (choice < 0.4) return { name: `${side} connections cut`, happen: async () => proxy.cut() }
        if (choice < 0.7) return { name: `${side} answers cut`, happen: async () => proxy.cutInAnswers() }
        return { name: `${side} connections stalled`, happen: () => proxy.stall(someMs) }
      }
    }
  }

  /** Mostly killed, sometimes stopped in order; sometimes killed again while it starts. */
  #endAndStart(server: ManagedServer): Fault {
    const random = this.#random
    const signal = random.chance(0.8) ? 'SIGKILL' : 'SIGTERM'
    const again = random.chance(0.3) ? random.between(1, 3) : 0
    return {
      name: `${signal === 'SIGKILL' ? 'killed' : 'ended'}${again > 0 ? ', and killed in its start' : ''}`,
      happen: async () => {
        await server.end(signal)
        await pause(random.between(0, 300))
        for (let n = 0; n < again; n++) await server.killInStart(random.between(20, 400))
        await server.start()
      },
    }
  }
}

interface Fault {
  readonly name: string
  readonly happen: () => Promise<void>
}

/** Ends sooner where there is nothing left to wait for. */
async function pause(milliseconds: number, isOver: () => boolean = () => false): Promise<void> {
  const endMs = performance.now() + milliseconds
  while (performance.now() < endMs && !isOver()) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(50, Math.max(1, endMs - performance.now()))))
  }
}
