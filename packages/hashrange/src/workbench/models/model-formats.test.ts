import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadNamedModels } from '../../commands/load-model.ts'
import { importModel } from './model-formats.ts'
import { nosqlWorkbenchFile } from './testing/nosql-workbench-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-imported-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('an imported file becomes text, whatever it says:', () => {
  /** Runs where a text is not quoted as it should be. */
  const attack = "globalThis.process.getBuiltinModule?.('node:fs').writeFileSync(globalThis.proof, '')"
  const hostile: Readonly<Record<string, string>> = {
    'ends a text in apostrophes': `'; ${attack}; '`,
    'ends a text in quotation marks': `"; ${attack}; "`,
    'ends a template': `\`; ${attack}; \``,
    'stands in a template': `\${${attack}}`,
    'ends a comment': `*/ ${attack}; /*`,
    'begins a line': `\n${attack}\n`,
    'begins a line as old Macs do': `\r${attack}\r`,
    'begins a line as JavaScript alone does': `\u2028${attack}\u2029`,
    'escapes what escapes it': `\\'; ${attack}; //`,
    'ends a call': `'}) ; ${attack} ; ({'`,
  }
  const proofOf = async (source: string): Promise<boolean> => {
    const proof = join(folder, 'proof')
    Object.assign(globalThis, { proof })
    const file = join(folder, 'hostile.model.ts')
    await writeFile(file, source)
    // A model that is wrong is told as such.
    await loadNamedModels(file).catch(() => undefined)
    Reflect.deleteProperty(globalThis, 'proof')
    return existsSync(proof)
  }

  test('the attack would be noticed', async () => {
    expect(await proofOf(attack)).toBe(true)
  })

  for (const [what, text] of Object.entries(hostile)) {
    test(what, async () => {
      const imported = await importModel(nosqlWorkbenchFile(text), `${text}.json`).catch((error: unknown) => {
        // What cannot be a model is refused in a sentence.
        expect(error).toHaveProperty('status', 400)
        return { source: '' }
      })
      expect(await proofOf(imported.source)).toBe(false)
    })
  }
})
