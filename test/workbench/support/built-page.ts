import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { locked } from './locked.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'packages', 'workbench')

let built: Promise<string> | undefined

/** The folder of the page. Builds it if it is older than its sources, as when a test is run by itself while the page is being
 *  changed. */
export function buildPage(): Promise<string> {
  built ??= locked('page', async () => {
    await buildIfOld()
    return join(folder, 'dist', 'page')
  })
  return built
}

async function buildIfOld(): Promise<void> {
  const built = await stat(join(folder, 'dist', 'page', 'index.html')).catch(() => undefined)
  const newest = Math.max(
    ...(await Promise.all(
      ['workbench', 'core', 'model'].map((name) => newestIn(join(root, 'packages', name, 'src'))),
    )),
  )
  if (built !== undefined && built.mtimeMs > newest) return
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}

async function newestIn(path: string): Promise<number> {
  let newest = 0
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.includes('.test.')) continue
    newest = Math.max(newest, (await stat(join(entry.parentPath, entry.name))).mtimeMs)
  }
  return newest
}
