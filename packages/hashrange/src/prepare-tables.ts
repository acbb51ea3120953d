import type { Engine, Scope } from '@hashrange/engine'
import { scopeOfKey } from '@hashrange/server'
import type { FunctionDesign } from '@hashrange/templates'
import type { StartSettings } from './command-line.ts'

/** Whose tables files declare: those of the credentials that the greeting shows, or of those in the environment. On a
 *  closed server they belong to the administrator, `owner`. */
export function scopeOfStart({ shared }: Pick<StartSettings, 'shared'>, owner: string | undefined): Scope {
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  return owner === undefined
    ? scopeOfKey(process.env['AWS_ACCESS_KEY_ID'] ?? 'local', region, shared)
    : { accountId: owner, region }
}

interface Prepared {
  /** How many items were put into empty tables. */
  readonly seeded: number
  readonly functions: readonly FunctionDesign[]
}

/** Makes what files declare, and fills empty tables, before the server answers. Functions are run once it does. */
export async function prepareTables(
  engine: Engine,
  { apply = [], seed = [], shared }: Pick<StartSettings, 'apply' | 'seed' | 'shared'>,
  owner: string | undefined,
): Promise<Prepared> {
  if (apply.length + seed.length === 0) return { seeded: 0, functions: [] }
  const scope = scopeOfStart({ shared }, owner)
  const { enginePort } = await import('./apply/engine-port.ts')
  const port = { name: 'this server', ...enginePort(engine, scope), close: () => Promise.resolve() }
  const tell = (line: string): void => console.log(line)
  let functions: readonly FunctionDesign[] = []
  if (apply.length > 0) {
    const { applyFiles } = await import('./apply/apply-files.ts')
    const { tablesOfModel } = await import('./commands/tables-of-model.ts')
    console.log(`${apply.join(', ')}, in ${scope.region}:`)
    functions = await applyFiles(port, apply, { ...scope, tablesOfModel, tell })
  }
  if (seed.length === 0) return { seeded: 0, functions }
  const { plantSeeds } = await import('./seed/plant-seeds.ts')
  const { readSeeds } = await import('./seed/read-seeds.ts')
  const { seedsOfModel } = await import('./commands/seeds-of-model.ts')
  console.log(`${seed.join(', ')}, in ${scope.region}:`)
  const seeded = await plantSeeds(port, await readSeeds(seed, seedsOfModel), { onlyEmpty: true, tell })
  return { seeded, functions }
}
