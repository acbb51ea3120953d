import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import type { TypeAnswer, TypeProblem } from '@hashrange/workbench/answers'
import { childEnvironment } from './model-child.ts'

/** What the type checker may take: it reads the declarations of all that the model imports. */
const limitMs = 30_000
const mostProblems = 100
const mostOutputBytes = 4 * 1024 * 1024

/** The errors of the type checker that the project of a model file has installed, for a text in place of the file. It runs as
 *  its command, which all versions have. */
export async function checkTypes(path: string, text: string, signal?: AbortSignal): Promise<TypeAnswer> {
  const compiler = compilerFor(path)
  if (compiler === undefined) return { isAvailable: false, problems: [] }
  const word = randomBytes(6).toString('hex')
  const ending = extname(path)
  const draft = join(dirname(path), `.${basename(path, ending)}.types-${word}${ending}`)
  const config = join(dirname(path), `.tsconfig.types-${word}.json`)
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600 })
    await writeFile(config, JSON.stringify(configFor(path, draft)), { flag: 'wx', mode: 0o600 })
    const output = await run(compiler, ['-p', config, '--pretty', 'false'], dirname(path), signal)
    return { isAvailable: true, problems: problemsIn(output, basename(draft)) }
  } finally {
    await Promise.all([draft, config].map((file) => rm(file, { force: true })))
  }
}

/** `bin/tsc` of the package that the model file would import. */
function compilerFor(path: string): string | undefined {
  try {
    const compiler = join(dirname(createRequire(path).resolve('typescript/package.json')), 'bin', 'tsc')
    return existsSync(compiler) ? compiler : undefined
  } catch {
    return undefined
  }
}

/** The project's own settings, for this file alone. */
function configFor(path: string, draft: string): object {
  const own = nearestConfig(dirname(path))
  const settings =
    own === undefined
      ? { strict: true, target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext' }
      : { composite: false, incremental: false, rootDir: '/' }
  return {
    ...(own !== undefined && { extends: own }),
    compilerOptions: {
      ...settings,
      noEmit: true,
      emitDeclarationOnly: false,
      declaration: false,
      declarationMap: false,
      isolatedDeclarations: false,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files: [basename(draft)],
    include: [],
    references: [],
  }
}

function nearestConfig(folder: string): string | undefined {
  const config = join(folder, 'tsconfig.json')
  if (existsSync(config)) return config
  const above = dirname(folder)
  return above === folder ? undefined : nearestConfig(above)
}

function run(compiler: string, args: readonly string[], cwd: string, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, ...args],
      { cwd, env: childEnvironment(), timeout: limitMs, maxBuffer: mostOutputBytes, ...(signal && { signal }) },
      // It ends with an error whenever it has found one. What it printed is what counts.
      (_error, stdout) => resolve(stdout),
    )
  })
}

/** `.shop.model.types-….ts(12,5): error TS2345: …`; lines that are indented belong to the one before. */
function problemsIn(output: string, file: string): readonly TypeProblem[] {
  const problems: TypeProblem[] = []
  let isOurs = false
  for (const line of output.split(/\r?\n/)) {
    const found = /^(.*)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line)
    if (found !== null) {
      isOurs = basename(found[1] ?? '') === file && problems.length < mostProblems
      const [, , row, column, code = '', message = ''] = found
      if (isOurs) problems.push({ line: Number(row), column: Number(column), code, message })
    } else if (isOurs && /^\s/.test(line)) {
      const last = problems.pop()
      if (last !== undefined) problems.push({ ...last, message: `${last.message}\n${line.slice(0, 500)}` })
    }
  }
  return problems
}
