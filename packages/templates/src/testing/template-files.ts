import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Declared } from '../declared.ts'
import { readDeclared } from '../read-declared.ts'
import type { ReadOptions } from '../table-design.ts'

export interface TemplateFiles {
  readonly folder: string
  /** Writes a file, and returns its path. */
  readonly write: (name: string, text: string) => string
  /** What a file with this text declares. */
  readonly read: (name: string, text: string, options?: Partial<ReadOptions>) => Declared
}

/** What a table must have, as properties in YAML. */
export const keySettings = `
      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]
      KeySchema: [{ AttributeName: pk, KeyType: HASH }]
      BillingMode: PAY_PER_REQUEST`

export const here = { region: 'eu-west-1', accountId: '123456789012' }

/** A folder for the templates of a test file, which is gone after its tests. */
export function useTemplateFiles(): TemplateFiles {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-templates-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): string => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  return {
    folder,
    write,
    read: (name, text, options = {}) => readDeclared(write(name, text), { ...here, ...options }),
  }
}
