/** What makes parts of a run longer, with the value for the longest. Each can be set by itself. */
const longest: Readonly<Record<string, string>> = {
  // Random tests make as many choices as they are worth, not as many as there is time for.
  HASHRANGE_ROUNDS: 'all',
  // Servers are killed at every step.
  HASHRANGE_KILLS: 'all',
  // Every test that opens a store runs on every store.
  HASHRANGE_STORES: 'all',
  // Pages are drawn in light and in dark, for whoever looks at test/workbench/screenshots.
  HASHRANGE_SCREENSHOTS: 'all',
  HASHRANGE_CHECK_SEEDS: '20',
  /** Pairs of models that are planned and migrated. */
  HASHRANGE_PLAN_PAIRS: '300',
  // The workbench shows a table of a million items.
  HASHRANGE_LARGE_ITEMS: '1000000',
}

/** `npm test` has to be quick on two processors; `HASHRANGE_TESTS=all npm test` takes its time, as every night. */
export function lengthen(environment: NodeJS.ProcessEnv): void {
  if (environment['HASHRANGE_TESTS'] !== 'all') return
  for (const [name, value] of Object.entries(longest)) environment[name] ??= value
}
