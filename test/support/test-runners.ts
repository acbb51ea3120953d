import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Requirement } from './requirement.ts'

/** A program that runs tests, in a folder with a project. */
interface TestRunner {
  readonly name: string
  readonly requirement: Requirement
  /** What the folder needs besides the snippet. */
  readonly arrange?: (folder: string) => void
  readonly run: (folder: string) => readonly string[]
}

/** Those that are not in the workspace have a folder of their own, because few need them. */
export function testRunners(root: string): readonly TestRunner[] {
  const node = process.execPath
  const modules = join(root, 'node_modules')
  const others = join(root, 'test', 'runners', 'node_modules')
  const there: Requirement = { met: true, reason: '' }
  const needs = (file: string): Requirement => ({
    met: existsSync(join(others, file)),
    reason: `it is not installed; run: npm install --prefix test/runners`,
  })
  const tsJest = join('ts-jest', 'presets', 'index.js')
  const mocha = join('mocha', 'bin', 'mocha.js')
  const bun = join('@oven', `bun-${process.platform}-${process.arch}`, 'bin', 'bun')
  const deno = join('@deno', `${process.platform}-${process.arch}-glibc`, 'deno')
  return [
    {
      name: 'jest',
      requirement: there,
      run: (folder) => [node, join(modules, 'jest', 'bin', 'jest.js'), '--rootDir', folder],
    },
    {
      name: 'ts-jest',
      requirement: needs(tsJest),
      arrange: (folder) => writeFileSync(join(folder, 'jest.config.json'), tsJestConfig(others)),
      run: () => [node, join(others, 'jest', 'bin', 'jest.js'), '--config', 'jest.config.json'],
    },
    {
      name: 'vitest',
      requirement: there,
      // The project has not installed Vitest: it is the one of this repository.
      arrange: (folder) =>
        writeFileSync(
          join(folder, 'vitest.config.mjs'),
          `export default { resolve: { alias: { vitest: ${JSON.stringify(join(modules, 'vitest'))} } } }`,
        ),
      run: (folder) => [node, join(modules, 'vitest', 'vitest.mjs'), 'run', '--root', folder],
    },
    { name: 'node:test', requirement: there, run: () => [node, '--test'] },
    { name: 'mocha', requirement: needs(mocha), run: () => [node, join(others, mocha)] },
    { name: 'bun', requirement: needs(bun), run: () => [join(others, bun), 'test'] },
    {
      name: 'deno',
      requirement: needs(deno),
      run: () => [join(others, deno), 'test', '--allow-all', '--no-check'],
    },
  ]
}

/** `"preset": "ts-jest"`, for a project in whose folder it is not installed. */
function tsJestConfig(modules: string): string {
  const transform = [
    join(modules, 'ts-jest'),
    { tsconfig: { strict: true, types: ['jest'], typeRoots: [join(modules, '@types')] } },
  ]
  return JSON.stringify({ transform: { '\\.ts$': transform } })
}

/** The files of docs/test-runners.md: `<!-- runner: NAME -->` stands before each, and its name in the line above. */
export function runnerSnippets(
  markdown: string,
): ReadonlyMap<string, { readonly file: string; readonly text: string }> {
  const pattern = /\n`([^`\n]+)`, run with [^\0]*?<!-- runner: (\S+) -->\s+```\w+\n([^\0]*?)\n```\n/g
  return new Map(
    [...markdown.matchAll(pattern)].map(([, file = '', name = '', text = '']) => [name, { file, text }]),
  )
}
