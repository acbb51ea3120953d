import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { simulateEncryptedEngine, simulateEngine } from './engine-simulation.ts'
import type { SimulationReport } from './lives.ts'
import { simulateStore } from './store-simulation.ts'

type Simulated = 'store' | 'engine' | 'encrypted-engine'

export interface SeedsOptions {
  readonly firstSeed: number
  readonly seeds: number
  /** The store by itself, or the whole database on it, with its values encrypted or not. */
  readonly of?: Simulated
  /** Where the disks may put files that must be real. */
  readonly folder: string
  readonly onProgress?: (seedsDone: number, soFar: SimulationReport) => void
}

export interface SeedsReport extends SimulationReport {
  readonly seeds: number
  /** The first seed that broke a promise, and how. */
  readonly violation: { readonly seed: number; readonly error: unknown } | undefined
}

const simulations = {
  store: simulateStore,
  engine: simulateEngine,
  'encrypted-engine': simulateEncryptedEngine,
} as const satisfies Record<Simulated, unknown>

/** Runs one simulation after another, and stops at the first that finds something. */
export async function runSeeds({ firstSeed, seeds, of, folder, onProgress }: SeedsOptions): Promise<SeedsReport> {
  let total: SimulationReport = {
    crashes: 0,
    crashesInRecovery: 0,
    compactions: 0,
    transactions: 0,
    refused: 0,
    damaged: 0,
    noticed: 0,
  }
  const simulate = simulations[of ?? 'store']
  for (let count = 0; count < seeds; count++) {
    const seed = firstSeed + count
    const place = join(folder, String(seed))
    try {
      total = added(total, await simulate(seed, place))
    } catch (error) {
      return { ...total, seeds: count + 1, violation: { seed, error } }
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
    onProgress?.(count + 1, total)
  }
  return { ...total, seeds, violation: undefined }
}

function added(a: SimulationReport, b: SimulationReport): SimulationReport {
  return {
    crashes: a.crashes + b.crashes,
    crashesInRecovery: a.crashesInRecovery + b.crashesInRecovery,
    compactions: a.compactions + b.compactions,
    transactions: a.transactions + b.transactions,
    refused: a.refused + b.refused,
    damaged: a.damaged + b.damaged,
    noticed: a.noticed + b.noticed,
  }
}
