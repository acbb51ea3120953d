import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daxOf } from './configured-dax.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hashrange-dax-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function configWith(settings: object): string {
  const file = join(folder, 'hashrange.config.json')
  writeFileSync(file, JSON.stringify(settings))
  return file
}

test('flags override the configuration file, each by itself', async () => {
  const config = configWith({ daxPort: 8111, daxRecordTtlMs: 1000, daxCacheMb: 2 })
  expect(await daxOf({ config, daxRecordTtlMs: 0 })).toEqual({ daxPort: 8111, daxRecordTtlMs: 0, daxCacheMb: 2 })
  expect(await daxOf({ config, daxPort: 0 })).toMatchObject({ daxPort: 0, daxRecordTtlMs: 1000 })
})

test('settings of DAX without its port are a mistake', async () => {
  const config = configWith({ daxQueryTtlMs: 1 })
  await expect(daxOf({ config })).rejects.toThrow('"daxQueryTtlMs" needs DAX. Add "daxPort", such as 8111.')
  await expect(daxOf({ config: configWith({}), daxCacheMb: 1 })).rejects.toThrow('--dax-cache-size needs DAX.')
  expect((await daxOf({ config: configWith({}) })).daxPort).toBeUndefined()
})
