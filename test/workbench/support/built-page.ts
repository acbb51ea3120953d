import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { locked } from './locked.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, 'packages', 'workbench')

/** Builds the page if it is older than its sources, as when a test is run by itself while the page is being changed. Returns the
 *  folder of a copy: another test may build the page anew meanwhile. Remove it when it is no longer needed. */
export function buildPage(): Promise<string> {
  return locked('page', async () => {
    await buildIfOld()
    const copy = await mkdtemp(join(tmpdir(), 'hashrange-page-'))
    await cp(join(folder, 'dist', 'page'), copy, { recursive: true })
    return copy
  })
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
