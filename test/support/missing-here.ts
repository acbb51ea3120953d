import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'

/** Tests that cannot run on this machine, because a program that npm has brought for them does not. */
export interface Missing {
  readonly what: string
  readonly files: readonly string[]
  readonly reason: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** npm brings a Chromium for Linux on x64, and a PostgreSQL for most systems, of which somebody else tells. */
export async function missingHere(noPostgres: string | undefined): Promise<readonly Missing[]> {
  const missing: Missing[] = []
  const noBrowser = await whyNoBrowser()
  if (noBrowser !== undefined) {
    const files = testsThatMention(/useWorkbench|openBrowser/)
    missing.push({ what: 'The workbench in a browser', files, reason: noBrowser })
  }
  if (noPostgres !== undefined) {
    const files = testsThatMention(/startPostgres|startOnPostgres/)
    missing.push({ what: 'PostgreSQL', files, reason: noPostgres })
  }
  return missing
}

async function whyNoBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `the Chromium that npm brings runs on Linux on x64 only, and this is ${process.platform} on ${process.arch}.`
  }
  try {
    const program = await chromium.executablePath()
    const { status, error, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
    if (status === 0) return undefined
    throw error ?? new Error(stderr)
  } catch (error) {
    return `the Chromium that npm brings does not run here. ${(error as Error).message.split('\n', 1)[0]}`
  }
}

function testsThatMention(name: RegExp): string[] {
  return ['packages', 'test']
    .flatMap((folder) => testsIn(join(root, folder)))
    .filter((file) => name.test(readFileSync(file, 'utf8')))
    .map((file) => relative(root, file))
}

function testsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return testsIn(path)
    return entry.name.endsWith('.test.ts') ? [path] : []
  })
}
