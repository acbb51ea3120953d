import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelDescription } from '../description.ts'
import * as library from '../index.ts'

/** Runs a generated model file, which has no types of its own, and gives the model it exports. */
export function loadSource(source: string): { readonly description: ModelDescription } {
  const names = /^import \{ (.*) \} from/m.exec(source)?.[1] ?? ''
  const body = source.replace(/import .*\n/, '').replace(/export const \w+ = model\(/, 'return model(')
  // oxlint-disable-next-line typescript/no-implied-eval -- the source is one that a test has just made
  const run = new Function('library', `const { ${names} } = library\n${body}`) as (given: object) => {
    readonly description: ModelDescription
  }
  return run(library)
}

/** What the compiler says of a model file; nothing if it is right. */
export function typeErrorsOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-model-'))
  try {
    mkdirSync(join(folder, 'node_modules', '@hashrange'), { recursive: true })
    const packageFolder = join(import.meta.dirname, '..', '..')
    symlinkSync(packageFolder, join(folder, 'node_modules', '@hashrange', 'model'), 'dir')
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'given.model.ts'), source)
    const compiler = join(packageFolder, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--customConditions',
      'source',
    ]
    const target = [
      '--target',
      'es2022',
      '--lib',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      '',
      'given.model.ts',
    ]
    const { stdout } = spawnSync(process.execPath, [compiler, ...flags, ...target], {
      cwd: folder,
      encoding: 'utf8',
    })
    // Only what is said of the file itself: the library has its own check.
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('given.model.ts'))
      .join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
