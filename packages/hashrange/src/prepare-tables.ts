import { toPlain, type Engine, type Scope } from '@hashrange/engine'
import { scopeOfKey } from '@hashrange/server'
import type { StartSettings } from './command-line.ts'

/** Whose tables files declare: those of the credentials that the greeting shows, or of those in the environment. On a
 *  closed server they belong to the administrator, `owner`. */
export function scopeOfStart({ shared }: Pick<StartSettings, 'shared'>, owner: string | undefined): Scope {
  const region = process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1'
  return owner === undefined
    ? scopeOfKey(process.env['AWS_ACCESS_KEY_ID'] ?? 'local', region, shared)
    : { accountId: owner, region }
}

/** Creates the tables that files declare, and fills empty ones, before the server answers. Returns how many items it has put there. */
export async function prepareTables(
  engine: Engine,
  { apply = [], seed = [], shared }: Pick<StartSettings, 'apply' | 'seed' | 'shared'>,
  owner: string | undefined,
): Promise<number> {
  if (apply.length + seed.length === 0) return 0
  const scope = scopeOfStart({ shared }, owner)
  const port = {
    name: 'this server',
    request: async (operation: string, input: object) =>
      toPlain(await engine.execute(scope, 'DynamoDB_20120810', operation, input)) as Record<string, unknown>,
    close: () => Promise.resolve(),
  }
  const tell = (line: string): void => console.log(line)
  if (apply.length > 0) {
    const { applyFiles } = await import('./apply/apply-files.ts')
    const { tablesOfModel } = await import('./commands/tables-of-model.ts')
    console.log(`${apply.join(', ')}, in ${scope.region}:`)
    await applyFiles(port, apply, { ...scope, tablesOfModel, tell })
  }
  if (seed.length > 0) {
    const { plantSeeds } = await import('./seed/plant-seeds.ts')
    const { readSeeds } = await import('./seed/read-seeds.ts')
    const { seedsOfModel } = await import('./commands/seeds-of-model.ts')
    console.log(`${seed.join(', ')}, in ${scope.region}:`)
    return plantSeeds(port, await readSeeds(seed, seedsOfModel), { onlyEmpty: true, tell })
  }
  return 0
}
