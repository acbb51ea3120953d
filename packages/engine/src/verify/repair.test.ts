import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keySpace } from '../layout/key-space.ts'
import { verified } from './testing/filled-engine.ts'
import { changed, entriesIn, entryIn, plant, put, remove } from './testing/planting.ts'
import { Victim } from './testing/victim.ts'

let victim: Victim

beforeAll(async () => {
  victim = await Victim.open()
})

afterAll(() => victim.close())

/** Harm to what is derived: it is told of, mended without a change to any item, and clean afterwards. */
describe('what is derived is told of and mended:', () => {
  const indexes = ['by-year', 'by-genre', 'tags', 'by-title']
  const harms: Record<string, () => Promise<readonly [kind: string, problem: RegExp]>> = {}

  for (const index of indexes) {
    harms[`an entry missing in ${index}`] = async () => {
      const { key } = await entryIn(victim.db, await victim.prefixOf(keySpace.indexEntry, index))
      await plant(victim.db, remove(key))
      return ['index-entry', /has no entry for the item/]
    }
    harms[`an entry in ${index} that has changed`] = async () => {
      const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.indexEntry, index))
      await plant(victim.db, put(key, changed(value, 4, 1)))
      return ['index-entry', /is not what its item says/]
    }
    harms[`an entry in ${index} at another place`] = async () => {
      const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.indexEntry, index))
      await plant(victim.db, put(changed(key, -1, 1), value))
      return ['index-entry', /does not say which item it is of/]
    }
    harms[`an entry in ${index} that is rubbish`] = async () => {
      const [...prefix] = await victim.prefixOf(keySpace.indexEntry, index)
      await plant(victim.db, put(Buffer.from([...prefix, 1, 2, 3]), 'rubbish'))
      return ['index-entry', /does not say which item it is of/]
    }
  }
  harms['an entry that its item does not have any more'] = async () => {
    // The item moves on while nobody looks after the index.
    const { key, value } = await entryIn(
      victim.db,
      await victim.prefixOf(keySpace.indexEntry, 'by-genre'),
      (entry) => entry.value.includes('"genre 1"'),
    )
    const title = /title \d+/.exec(value.toString())?.[0] ?? ''
    const number = Number(title.slice(6))
    await victim.db.run('UpdateItem', {
      TableName: 'music',
      Key: { artist: { S: `artist ${number % 7}` }, title: { S: title } },
      UpdateExpression: 'SET genre = :genre',
      ExpressionAttributeValues: { ':genre': { S: 'another' } },
    })
    await plant(victim.db, put(key, value))
    return ['index-entry', /does not have any more/]
  }
  harms['the size of a collection that has changed'] = async () => {
    const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.collection))
    await plant(victim.db, put(key, changed(value, 1, 1)))
    return ['collection-size', /has \d+ bytes, but .* are stored/]
  }
  harms['the size of a collection that is missing'] = async () => {
    const all = await entriesIn(victim.db, ...(await victim.prefixOf(keySpace.collection)))
    await plant(victim.db, remove(all.at(-1)?.key ?? Buffer.alloc(0)))
    return ['collection-size', /has \d+ bytes, but 0 are stored/]
  }
  harms['the size of a collection that there is not'] = async () => {
    const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.collection))
    await plant(victim.db, put(changed(key, -1, (key.at(-1) ?? 0) ^ 1), value))
    return ['collection-size', /has 0 bytes, but \d+ are stored/]
  }
  harms['a count of a table'] = async () => {
    const key = Buffer.from(await victim.prefixOf(keySpace.counts))
    await plant(victim.db, { kind: 'add', key, amounts: [1, -5] })
    return ['count', /are counted/]
  }
  harms['a count of an index'] = async () => {
    const key = Buffer.from(await victim.prefixOf(keySpace.counts, 'tags'))
    await plant(victim.db, { kind: 'add', key, amounts: [-1, 0] })
    return ['count', /are counted/]
  }
  harms['an expiry that is missing'] = async () => {
    const { key } = await entryIn(victim.db, await victim.prefixOf(keySpace.itemExpiry, 'expiries'))
    await plant(victim.db, remove(key))
    return ['expiry', /no entry in the index of expiry times/]
  }
  harms['an expiry of another time'] = async () => {
    const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.itemExpiry, 'expiries'))
    await plant(victim.db, put(changed(key, 12, 0), value))
    return ['expiry', /has another time than the item/]
  }
  harms['an expiry of no item'] = async () => {
    const { key, value } = await entryIn(victim.db, await victim.prefixOf(keySpace.itemExpiry, 'expiries'))
    await plant(victim.db, put(changed(key, -1, 1), value))
    return ['expiry', /names an item that does not exist/]
  }
  harms["a token's expiry that is missing"] = async () => {
    const { key } = await entryIn(victim.db, [keySpace.tokenExpiry])
    await plant(victim.db, remove(key))
    return ['token', /has no expiry entry/]
  }
  harms["a token's expiry that names another token"] = async () => {
    const { key } = await entryIn(victim.db, [keySpace.tokenExpiry])
    await plant(victim.db, put(key, 'another'))
    return ['token', /has no expiry entry/]
  }
  harms["a token's expiry at another time"] = async () => {
    const { key, value } = await entryIn(victim.db, [keySpace.tokenExpiry])
    await plant(victim.db, put(changed(key, 7, 1), value))
    return ['token', /names a token that does not exist, or has another time/]
  }
  harms["a token's expiry that is cut short"] = async () => {
    await plant(victim.db, put(Buffer.of(keySpace.tokenExpiry, 1), 'x'))
    return ['token', /names a token that does not exist/]
  }

  test.each(Object.entries(harms))('%s', async (_name, harm) => {
    const [kind, problem] = await harm()
    const before = await entriesIn(victim.db, keySpace.item)
    const { findings } = await verified(victim.db)
    expect(findings.map((finding) => finding.problem).join('\n')).toMatch(problem)
    expect(findings.find((finding) => problem.test(finding.problem))).toMatchObject({
      kind,
      isDerived: true,
      isRepaired: false,
    })
    expect(findings.filter(({ isDerived }) => !isDerived)).toEqual([])

    const repair = await verified(victim.db, { repair: true })
    expect(repair.report.repaired).toBeGreaterThan(0)
    expect(repair.findings.every(({ isRepaired }) => isRepaired)).toBe(true)
    expect(await victim.found()).toEqual([])
    expect(await entriesIn(victim.db, keySpace.item)).toEqual(before)
  })
})
