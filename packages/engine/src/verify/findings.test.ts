import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { keySpace, purgeKey } from '../layout/key-space.ts'
import { encodeCounters } from '../store/counters.ts'
import type { Write } from '../store/store.ts'
import { verified } from './testing/filled-engine.ts'
import { changed, entriesIn, entryIn, harmed, put, remove, replaced, type StoredEntry } from './testing/planting.ts'
import { Victim } from './testing/victim.ts'

let victim: Victim

beforeAll(async () => {
  victim = await Victim.open()
})

afterAll(() => victim.close())

const items = (): Promise<readonly number[]> => victim.prefixOf(keySpace.item)

describe('what is not derived is told of:', () => {
  type Harm = () => Promise<readonly [writes: readonly Write[], kind: string, problem: RegExp]>
  const log = (): Promise<readonly number[]> => victim.prefixOf(keySpace.changeLog)
  const of = (title: string) => (entry: StoredEntry) => entry.value.includes(`"${title}"`)
  const written = async (change: (definition: TableDefinition) => object): Promise<readonly Write[]> => {
    return [put(victim.definitionKey, JSON.stringify(change(await victim.definition())))]
  }
  const harms: Record<string, Harm> = {
    'an item with a type that there is not, in an index that projects it': async () => {
      const { key, value } = await entryIn(victim.db, await items(), ({ value: bytes }) => bytes.includes('"genre'))
      return [[put(key, replaced(value, '"SS"', '"SW"'))], 'item', /cannot be read/]
    },
    'a change that is missing in the middle of an item': async () => {
      const changes = (await entriesIn(victim.db, ...(await log()))).filter(of('title 30'))
      expect(changes.length).toBe(3)
      return [
        [remove(changes[1]?.key ?? Buffer.alloc(0))],
        'change-log',
        /old image differs from the new image of the change before/,
      ]
    },
    'what the store remembers of its clock': () => {
      const record = {
        eras: [
          { fromSteadyMs: 5, leadMs: 7 },
          { fromSteadyMs: 4, leadMs: 8 },
        ],
        trimmed: [],
      }
      return Promise.resolve([
        [put(Buffer.of(keySpace.clock), JSON.stringify(record))],
        'record',
        /A record of the space 0x0a is damaged\. It cannot be read\./,
      ])
    },
    'a change whose old image is another': async () => {
      const [, second] = (await entriesIn(victim.db, ...(await log()))).filter(of('title 33'))
      const { key, value } = second ?? (await entryIn(victim.db, await log()))
      return [
        [put(key, replaced(value, '1993', '1992'))],
        'change-log',
        /old image differs from the new image of the change before/,
      ]
    },
    'the last change of an item': async () => {
      const { key } = await entryIn(victim.db, await log(), of('title 30'))
      const all = (await entriesIn(victim.db, ...(await log()))).filter(of('title 30'))
      const last = all.at(-1)?.key ?? key
      return [[remove(last)], 'change-log', /does not exist, but according to the last change in the log it should/]
    },
    'an insertion of what is there': async () => {
      const [first, second] = (await entriesIn(victim.db, ...(await log()))).filter(of('title 33'))
      return [
        [put(second?.key ?? Buffer.alloc(0), first?.value ?? Buffer.alloc(0))],
        'change-log',
        /inserted that already existed after the change before/,
      ]
    },
    'a change that is cut short': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(key, value.subarray(0, 20))], 'change-log', /cut short/]
    },
    'a change whose parts do not add up': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(key, changed(value, 14, 3))], 'change-log', /do not have its length/]
    },
    'a change of an unknown event': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(key, changed(value, 1, 9))], 'change-log', /event or its flags are unknown/]
    },
    'a change with another size': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(key, changed(value, 34, 1))], 'change-log', /size of the new image is not what is stored/]
    },
    'a change in the shard of another item': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      const other = Buffer.from(key)
      other.writeUInt32BE(other.readUInt32BE(5) ^ 1, 5)
      return [[put(other, value)], 'change-log', /belongs to another shard/]
    },
    'changes in a shard that there is not': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(changed(key, 7, 9), value)], 'change-log', /in a shard that the table does not have/]
    },
    'changes in the last shard that there could be': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      const other = Buffer.from(key)
      other.writeUInt32BE(0xffffffff, 5)
      return [[put(other, value)], 'change-log', /in a shard that the table does not have/]
    },
    'a key of the log that is no key': async () => {
      const { key, value } = await entryIn(victim.db, await log())
      return [[put(key.subarray(0, 12), value)], 'change-log', /in a shard that the table does not have/]
    },
    'an item of a backup that is missing': async () => {
      const { key } = await entryIn(victim.db, [keySpace.keptItem])
      return [[remove(key)], 'backup', /The backup holds \d+ items of \d+ bytes, but says/]
    },
    'an item of a backup that is damaged': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.keptItem])
      return [[put(key, value.subarray(0, -3))], 'backup', /An item of the backup is damaged/]
    },
    'an item of a backup at another place': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.keptItem])
      return [[remove(key), put(changed(key, -1, 0xfe), value)], 'backup', /under a key that is not its own/]
    },
    "a backup's description": async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.backup])
      return [[put(key, value.subarray(1))], 'backup', /cannot be read/]
    },
    'a definition that cannot be read': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.catalog])
      return [[put(key, value.subarray(1))], 'definition', /cannot be read/]
    },
    'a definition at another place': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.catalog])
      return [[put(Buffer.concat([key, Buffer.from('x')]), value)], 'definition', /under a key that is not its own/]
    },
    'a definition without keys': async () => [
      await written((table) => ({ ...table, keySchema: undefined })),
      'definition',
      /keySchema is not one of a table/,
    ],
    'a definition whose key has no type': async () => [
      await written((table) => ({ ...table, attributeTypes: {} })),
      'definition',
      /keys has no type/,
    ],
    'a definition whose shards leave a gap': async () => [
      await written((table) => ({ ...table, shards: table.shards?.slice(0, -1) })),
      'definition',
      /leave a gap/,
    ],
    'an identifier that is used twice': async () => [
      await written((table) => ({ ...table, tableId: table.globalIndexes[0]?.indexId })),
      'identifier',
      /used twice/,
    ],
    'identifiers that would be given out again': async () => [
      [put(Buffer.of(keySpace.nextId), encodeCounters([2]))],
      'identifier',
      /would be assigned again: the next one is 2/,
    ],
    'a next identifier that is none': async () => [
      [put(Buffer.of(keySpace.nextId), 'x')],
      'identifier',
      /assigned/,
    ],
    'a table that is marked for removal': async () => {
      const { tableId } = await victim.definition()
      return [[put(purgeKey(tableId), 'table')], 'identifier', /is marked for removal/]
    },
    'a mark that names nothing': async () => [[put(purgeKey(77), 'what')], 'record', /names nothing/],
    'a token that cannot be read': async () => {
      const { key } = await entryIn(victim.db, [keySpace.token])
      return [[put(key, '{}')], 'token', /token cannot be read/]
    },
    'a row of metrics': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.metrics])
      return [[put(key, value.subarray(3))], 'record', /space 0x40 is damaged. It cannot be read/]
    },
    'a row of metrics at no time': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.metrics])
      return [[put(changed(key, -9, 1), value)], 'record', /names no period/]
    },
    'a model of partitions': async () => {
      const { key } = await entryIn(victim.db, [keySpace.partitionModel])
      return [[put(key, '[]')], 'record', /space 0x41/]
    },
    'a scalable target': async () => {
      const { key, value } = await entryIn(victim.db, [keySpace.scalableTarget])
      return [
        [put(key, replaced(value, 'table/provisioned', 'table/another'))],
        'record',
        /Its resourceId is not the one/,
      ]
    },
    'an alarm': async () => {
      const { key } = await entryIn(victim.db, [keySpace.alarm])
      return [[put(key, 'null')], 'record', /space 0x54/]
    },
    'items of a table that there is not': async () => {
      const { key, value } = await entryIn(victim.db, await items())
      return [
        [put(changed(key, 4, 0xee), value)],
        'leftover',
        /space 0x10 whose table, index or backup does not exist/,
      ]
    },
    'entries of an index that there is not': async () => {
      const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.indexEntry, 'tags'))
      return [[put(changed(key, 4, 0xee), value)], 'leftover', /space 0x11/]
    },
    'entries of an index among the items': async () => {
      const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.indexEntry, 'tags'))
      return [[put(changed(key, 0, keySpace.item), value)], 'leftover', /space 0x10/]
    },
    'keys that nothing writes': async () => [[put(Buffer.of(0x7f, 1), 'x')], 'unknown-key', /space 0x7f/],
    'more than one key where there is one': async () => [
      [put(Buffer.of(keySpace.format, 1), 'x')],
      'unknown-key',
      /space 0x01/,
    ],
    'the last key of all': async () => [[put(Buffer.of(0xff, 0xff), 'x')], 'unknown-key', /space 0xff/],
  }

  test.each(Object.entries(harms))('%s', async (_name, plan) => {
    const [writes, kind, problem] = await plan()
    const { findings } = await harmed(victim.db, writes, () => verified(victim.db))
    expect(findings.map((finding) => `${finding.kind}: ${finding.problem}`).join('\n')).toMatch(problem)
    expect(findings.find((finding) => problem.test(finding.problem))).toMatchObject({ kind, isDerived: false })
  })

  test('nothing of it is left by these tests', async () => {
    expect(await victim.found()).toEqual([])
  })
})
