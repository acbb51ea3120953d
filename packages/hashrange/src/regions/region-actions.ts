import type { Regions } from '@hashrange/engine'

/** Longer is no lag. */
export const mostLagMs = 24 * 60 * 60 * 1000

/** What can be done to a region, by name. */
export const regionActions: ReadonlyMap<string, (regions: Regions, region: string, ms: number) => Promise<void>> =
  new Map([
    ['isolate', (regions, region) => regions.isolate(region)],
    ['heal', (regions, region) => regions.heal(region === '' ? undefined : region)],
    ['lag', (regions, region, ms) => regions.lag(region, ms)],
    ['down', (regions, region) => regions.down(region)],
    ['up', (regions, region) => regions.up(region)],
  ])
