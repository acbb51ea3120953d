import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runModelCommand } from './run-model-command.ts'
import { useTerminal } from './testing/use-terminal.ts'
import { templates } from './templates.ts'

const terminal = useTerminal('init')

const init = (...words: string[]): Promise<number> => runModelCommand('init', [...words, '--dir', terminal.folder])

describe('hashrange init', () => {
  test.each(Object.keys(templates))('writes the template %s, and says what to do next', async (name) => {
    expect(await init(name)).toBe(0)
    expect((await readdir(terminal.folder)).toSorted()).toEqual(
      [
        '.gitignore',
        'README.md',
        'package.json',
        `${name}.model.ts`,
        `${name}.test.ts`,
        'tsconfig.json',
      ].toSorted(),
    )
    expect(await readFile(join(terminal.folder, `${name}.model.ts`), 'utf8')).toContain(
      `export const ${name} = model({`,
    )
    const manifest: unknown = JSON.parse(await readFile(join(terminal.folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ type: 'module', scripts: { check: `hashrange check ${name}.model.ts` } })
    // Without them the compiler knows no console.
    expect(manifest).toHaveProperty(['devDependencies', '@types/node'])
    const { compilerOptions } = JSON.parse(await readFile(join(terminal.folder, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { types?: unknown }
    }
    expect(compilerOptions.types).toEqual(['node'])
    // In a clone, nothing of ours is looked for on npm.
    expect(manifest).toHaveProperty(['dependencies', '@hashrange/model'], expect.stringMatching(/^file:.*\/model$/))
    expect(terminal.told).toContain(`npx hashrange check ${name}.model.ts`)
  })

  test('overwrites nothing, and writes nothing, if the model exists', async () => {
    await writeFile(join(terminal.folder, 'shop.model.ts'), 'mine')
    expect(await init('shop')).toBe(2)
    expect(terminal.told).toContain('shop.model.ts already exists in')
    expect(await readdir(terminal.folder)).toEqual(['shop.model.ts'])
    expect(await init('shop', '--force')).toBe(0)
    expect(await readFile(join(terminal.folder, 'shop.model.ts'), 'utf8')).not.toBe('mine')
  })

  test('leaves a package.json and a README alone, and says what to install', async () => {
    await writeFile(join(terminal.folder, 'package.json'), '{}')
    await writeFile(join(terminal.folder, 'README.md'), 'mine')
    expect(await init('music')).toBe(0)
    expect(await readFile(join(terminal.folder, 'package.json'), 'utf8')).toBe('{}')
    expect(await readFile(join(terminal.folder, 'README.md'), 'utf8')).toBe('mine')
    expect(terminal.told).toMatch(/npm install @aws-sdk\/client-dynamodb \S+\/packages\/model\n/)
    expect(terminal.told).toMatch(
      /npm install --save-dev @types\/node \S+\/packages\/hashrange jiti typescript vitest\n/,
    )
  })

  test('asks nothing where nobody can answer', async () => {
    expect(await init()).toBe(2)
    expect(terminal.told).toContain('Name a template: hashrange init shop|music|leaderboard|saas')
  })

  test('knows its templates', async () => {
    expect(await init('constructor')).toBe(2)
    expect(terminal.told).toContain(
      'There is no template "constructor". The templates are shop, music, leaderboard, saas, ',
    )
  })
})
