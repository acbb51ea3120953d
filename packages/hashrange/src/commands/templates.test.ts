import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import { checkModel } from '@hashrange/model/check'
import { describe, expect, test } from 'vitest'
import { open } from '../open.ts'
import { isTemplate, templateFolder, templates } from './templates.ts'

// The tests that go with the templates, as if they had been written into a project.
for (const name of Object.keys(templates).filter(isTemplate)) {
  await import(/* @vite-ignore */ join(templateFolder(name), `${name}.test.ts`))
}

describe('the template', () => {
  test.each(Object.keys(templates).filter(isTemplate))('%s passes the check without a finding', async (name) => {
    const file = join(templateFolder(name), `${name}.model.ts`)
    const loaded = (await import(/* @vite-ignore */ file)) as Readonly<Record<string, AnyModel>>
    const { [name]: model } = loaded
    if (model === undefined) throw new Error(`${name} exports no model of its name`)
    const { findings } = await checkModel(model, { open, maxItems: 200 })
    expect(findings).toEqual([])
  })

  test.each(Object.keys(templates).filter(isTemplate))('%s uses only what a project has installed', (name) => {
    for (const file of [`${name}.model.ts`, `${name}.test.ts`]) {
      const text = readFileSync(join(templateFolder(name), file), 'utf8')
      const modules = [...text.matchAll(/from '([^']+)'/g)].map(([, module]) => module)
      const known = ['@hashrange/model', 'hashrange/testing', 'vitest', `./${name}.model.ts`]
      expect(modules.filter((module) => !known.includes(module ?? ''))).toEqual([])
    }
  })

  test('has no type errors, whichever it is', () => {
    const names = Object.keys(templates).filter(isTemplate)
    const files = names.flatMap((name) => [`${name}/${name}.model.ts`, `${name}/${name}.test.ts`])
    const cwd = join(templateFolder('shop'), '..')
    const compiler = join(cwd, '..', '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
    const target = [
      '--target',
      'es2022',
      '--lib',
      'es2023,esnext.disposable',
      '--module',
      'nodenext',
      '--types',
      'node',
    ]
    const words = [compiler, ...strict, ...target, ...files]
    const { stdout } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' })
    // The library has a check of its own.
    expect(stdout.split('\n').filter((line) => files.some((file) => line.startsWith(file)))).toEqual([])
    expect(stdout).not.toContain('error TS5')
  })
})
