import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keySpace } from '../layout/key-space.ts'
import { openTestEngine } from '../testing/test-engine.ts'
import { checkChangeLog } from './check-change-log.ts'
import { KnownTable } from './known-table.ts'
import { placeText } from './place.ts'
import { verified } from './testing/filled-engine.ts'
import { changed, entriesIn, entryIn, harmed, put, remove, replaced } from './testing/planting.ts'
import { Victim } from './testing/victim.ts'
import { Verification } from './verification.ts'

let victim: Victim

beforeAll(async () => {
  victim = await Victim.open()
})

afterAll(() => victim.close())

const items = (): Promise<readonly number[]> => victim.prefixOf(keySpace.item)

test('a store that nothing happened to is clean', async () => {
  const spaces = new Set((await entriesIn(victim.db)).map(({ key }) => key[0] ?? 0))
  const { findings, report } = await verified(victim.db)
  expect(victim.db.backgroundErrors).toEqual([])
  expect(findings).toEqual([])
  expect(report).toMatchObject({ isComplete: true, findings: 0, unchecked: [] })
  expect(report.items).toBeGreaterThan(100)
  // Lest this test grow blind.
  expect([...spaces].toSorted((a, b) => a - b)).toEqual(
    expect.arrayContaining([
      0x01, 0x02, 0x03, 0x05, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x20, 0x21, 0x22, 0x40, 0x41, 0x50, 0x51,
      0x54, 0x56, 0x60, 0x70, 0x71, 0x72, 0x73,
    ]),
  )
})

test('a store that holds nothing is clean', async () => {
  const empty = await openTestEngine()
  expect((await verified(empty)).report).toMatchObject({ isComplete: true, findings: 0, tables: 0 })
  await empty.close()
})

describe('items', () => {
  const song = (n: number) => (entry: { readonly value: Buffer }) => entry.value.includes(`"title ${n}"`)

  test.each<[string, (value: Buffer) => Buffer, RegExp]>([
    ['of an unknown format', (value) => changed(value, 0, 7), /format 7, which is unknown/],
    ['that are cut short', (value) => value.subarray(0, 4), /cut short/],
    ['that end too early', (value) => value.subarray(0, -1), /cannot be read/],
    ['with another size', (value) => changed(value, 4, 1), /Its size is \d+ bytes, but \d+ is stored/],
    ['that are not canonical', (value) => Buffer.concat([value, Buffer.from(' ')]), /not in canonical form/],
    ['with a number that is none', (value) => replaced(value, '"N":"', '"N":"x'), /cannot be read/],
    ['without a part of their key', (value) => replaced(value, '"title"', '"tItle"'), /no key attribute title/],
    ['with another key', (value) => replaced(value, 'title 7', 'title 8'), /under a key that is not its own/],
  ])('%s are told of', async (_name, harm, problem) => {
    const { key, value } = await entryIn(victim.db, await items(), song(7))
    const { findings } = await harmed(victim.db, [put(key, harm(value))], () => verified(victim.db))
    const told = findings.find(({ kind }) => kind === 'item')
    expect(told?.problem).toMatch(problem)
    expect(told).toMatchObject({ isDerived: false, place: { table: 'music', storedKey: key.toString('hex') } })
  })

  test('that vanish are missed by all that speaks of them', async () => {
    const { key } = await entryIn(victim.db, await items(), song(115))
    const lines = await harmed(victim.db, [remove(key)], () => victim.found())
    expect(lines).toContain('index-entry: The index has an entry for an item that does not exist.')
    expect(lines).toContain('expiry: The index of expiry times names an item that does not exist.')
    expect(lines).toContain(
      'change-log: The item does not exist, but according to the last change in the log it should.',
    )
    expect(lines.filter((line) => line.startsWith('count:'))).toHaveLength(1)
    expect(lines.filter((line) => line.startsWith('collection-size:'))).toHaveLength(1)
  })

  test('that the log knows otherwise are told of', async () => {
    const { key, value } = await entryIn(victim.db, await items(), song(112))
    expect(await harmed(victim.db, [put(key, replaced(value, '"3.5"', '"3.6"'))], () => victim.found())).toContain(
      'change-log: The item differs from its last change in the log.',
    )
  })

  test('are named as people know them', async () => {
    const { key, value } = await entryIn(victim.db, await items(), song(7))
    const { findings } = await harmed(victim.db, [put(key, changed(value, 4, 1))], () => verified(victim.db))
    const [told] = findings
    expect(placeText(told?.place ?? {})).toBe(
      'table music (123456789012, eu-west-1), key {"artist":{"S":"artist 0"},"title":{"S":"title 7"}}',
    )
  })
})

test('one table can be verified alone', async () => {
  const { key, value } = await entryIn(victim.db, await items())
  const { report } = await harmed(victim.db, [put(key, changed(value, 4, 1))], () =>
    verified(victim.db, { table: 'provisioned' }),
  )
  expect(report).toMatchObject({ findings: 0, tables: 1, items: 10 })
})

test('a run that is stopped says that it is not complete', async () => {
  const stopping = { aborted: false }
  const { report } = await verified(victim.db, { stopping, onProgress: () => (stopping.aborted = true) })
  expect(report.isComplete).toBe(false)
})

test('however few items of a log are followed at once, all are', async () => {
  const { key, value } = await entryIn(victim.db, await items(), (entry) => entry.value.includes('"title 112"'))
  const run = async (most: number): Promise<readonly string[]> => {
    const problems: string[] = []
    const verification = new Verification({
      store: victim.db.store,
      onFinding: ({ problem }) => problems.push(problem),
    })
    await checkChangeLog(verification, new KnownTable(await victim.definition()), true, most)
    return problems
  }
  const problems = await harmed(victim.db, [put(key, replaced(value, '"3.5"', '"3.6"'))], async () => [
    await run(1),
    await run(10),
    await run(1_000),
  ])
  for (const told of problems) expect(told).toEqual(['The item differs from its last change in the log.'])
})
