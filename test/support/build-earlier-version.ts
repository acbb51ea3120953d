import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrations = 'packages/postgres/src/schema/migrations.ts'

/** The version that users upgrade from: what HASHRANGE_UPGRADE_FROM names; otherwise the newest release; before the first
 *  release, the last commit whose servers know the schema before the present one. Undefined where the history is not there. */
export function earlierVersion(schemaVersion: number): string | undefined {
  const named = process.env['HASHRANGE_UPGRADE_FROM']
  if (named !== undefined && named !== '') return named
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD')
  if (release !== undefined) return release
  const changed = git('log', '--format=%H', '-S', `schemaVersion = ${schemaVersion}`, '--', migrations)
  const first = changed?.split('\n').at(-1)
  return first === undefined ? undefined : git('rev-parse', '--verify', '--quiet', `${first}^`)
}

/** Builds the command of another commit from its own sources, with the dependencies of the present one. Returns what runs it. */
export async function buildEarlierVersion(commit: string): Promise<string> {
  const folder = join(root, 'test', 'dist', `earlier-${commit.slice(0, 12)}`)
  const main = join(folder, 'bundle', 'main.js')
  if (existsSync(main)) return main
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules', '@hashrange'), { recursive: true })
  const archive = execFileSync(
    'git',
    ['archive', commit, 'packages', 'tsconfig.base.json', 'tsconfig.package.json'],
    { cwd: root, maxBuffer: 2 ** 30 },
  )
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  // Its packages find each other before they find ours.
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join('..', '..', 'packages', name), join(folder, 'node_modules', '@hashrange', name), 'dir')
  }
  const build = await rolldown({
    input: { main: join(folder, 'packages', 'hashrange', 'src', 'main.ts') },
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@hashrange/'),
  })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  await build.write({ dir: join(folder, 'bundle'), format: 'esm', chunkFileNames: 'chunks/[name].js' })
  await build.close()
  return main
}

function git(...words: readonly string[]): string | undefined {
  try {
    const text = execFileSync('git', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return text === '' ? undefined : text
  } catch {
    return undefined
  }
}
