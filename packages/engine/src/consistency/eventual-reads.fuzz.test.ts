import { expect, test } from 'vitest'
import { allPages, createTableInput, openTestEngine, type Answer } from '../testing/test-engine.ts'

const maxLagMs = 500
const seed = Number(process.env['HASHRANGE_SEED'])

/** Every state an item ever had, and when it began. */
type History = {
  readonly fromMs: number
  readonly version: number | undefined
  readonly owner: string | undefined
}[]

test('whatever is written, reads show states that were, in order and within the delay', async () => {
  const db = await openTestEngine(undefined, { eventualConsistency: { maxLagMs, seed } })
  const global = { byOwner: { hash: ['owner'], range: ['version:N'] } }
  await db.run('CreateTable', createTableInput('things', { hash: 'pk', range: 'sk', global }))
  const random = sequence(seed)
  const histories = new Map<string, History>()
  const shownInTable = new Map<string, number>()
  const shownInIndex = new Map<string, number>()
  let nowMs = 0
  let version = 0

  const write = async (): Promise<void> => {
    const sk = `${Math.floor(random() * 8)}`
    const history = histories.get(sk) ?? [{ fromMs: -maxLagMs, version: undefined, owner: undefined }]
    histories.set(sk, history)
    const Key = { pk: { S: 'p' }, sk: { S: sk } }
    if (random() < 0.3) {
      await db.run('DeleteItem', { TableName: 'things', Key })
      history.push({ fromMs: nowMs, version: undefined, owner: undefined })
      return
    }
    const owner = random() < 0.2 ? undefined : `o${Math.floor(random() * 3)}`
    version++
    const Item = { ...Key, version: { N: `${version}` }, ...(owner !== undefined && { owner: { S: owner } }) }
    await db.run('PutItem', { TableName: 'things', Item })
    history.push({ fromMs: nowMs, version, owner })
  }

  /** The states of an item that may be shown now: since the last one that was shown, and not older than the delay. */
  const check = (shown: Map<string, number>, sk: string, isShown: (state: History[number]) => boolean): void => {
    const history = histories.get(sk) ?? []
    const since = shown.get(sk) ?? 0
    const at = history.findIndex(
      (state, position) =>
        position >= since && isShown(state) && (history[position + 1]?.fromMs ?? Infinity) > nowMs - maxLagMs - 1,
    )
    expect(at, `item ${sk} at ${nowMs} ms`).toBeGreaterThanOrEqual(0)
    shown.set(sk, at)
  }

  const versionsOf = (pages: readonly Answer[]): Map<string, number> => {
    const items = pages.flatMap(({ Items }) => Items ?? [])
    const versions = new Map(items.map(({ sk, version: v }) => [String(sk?.['S']), Number(v?.['N'])]))
    expect(versions.size, 'no item is shown twice').toBe(items.length)
    return versions
  }

  const read = async (): Promise<void> => {
    const inTable = {
      TableName: 'things',
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
    }
    const whole = versionsOf([await db.run('Query', inTable)])
    const reverse = random() < 0.5
    const paged = await allPages(db, 'Query', {
      ...inTable,
      Limit: 1 + Math.floor(random() * 3),
      ScanIndexForward: reverse,
    })
    const seenInPages = versionsOf(paged)
    expect(seenInPages.size).toBe(whole.size)
    for (const [sk, seen] of whole) expect(seenInPages.get(sk)).toBe(seen)
    const inIndex = versionsOf(await allPages(db, 'Scan', { TableName: 'things', IndexName: 'byOwner', Limit: 2 }))
    for (const sk of histories.keys()) {
      check(shownInTable, sk, (state) => state.version === whole.get(sk))
      check(
        shownInIndex,
        sk,
        (state) => (state.owner === undefined ? undefined : state.version) === inIndex.get(sk),
      )
      const exact = await db.run('GetItem', {
        TableName: 'things',
        Key: { pk: { S: 'p' }, sk: { S: sk } },
        ConsistentRead: true,
      })
      const now = histories.get(sk)?.at(-1)?.version
      expect(exact.Item?.['version']).toEqual(now === undefined ? undefined : { N: `${now}` })
    }
  }

  for (let round = 0; round < 400; round++) {
    const action = random()
    if (action < 0.5) await write()
    else if (action < 0.8) await read()
    else {
      const stepMs = Math.floor(random() * 120)
      nowMs += stepMs
      db.advance(stepMs)
    }
  }

  db.advance(maxLagMs)
  const current = await allPages(db, 'Scan', { TableName: 'things', ConsistentRead: true })
  expect(await allPages(db, 'Scan', { TableName: 'things' })).toEqual(current)
  const indexed = current.flatMap(({ Items }) => Items ?? []).filter(({ owner }) => owner !== undefined)
  const { Items = [] } = await db.run('Scan', { TableName: 'things', IndexName: 'byOwner' })
  expect(new Set(Items.map((item) => JSON.stringify(item)))).toEqual(
    new Set(indexed.map((item) => JSON.stringify(item))),
  )
  await db.close()
})

/** The generator mulberry32. */
function sequence(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
