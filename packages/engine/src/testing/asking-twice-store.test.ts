import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeStore } from '../store/describe-store.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Decision, Store, Value } from '../store/store.ts'
import { askedAgainMs, AskingTwiceStore } from './asking-twice-store.ts'

const open = async (): Promise<Store> => new AskingTwiceStore(await openLmdbStore({ memory: true }))

describeStore('a store that asks twice', open)

describe('what is not the same when it is asked again is found', () => {
  let store: Store
  beforeEach(async () => {
    store = await open()
    await store.transact([], () => ({ writes: [{ kind: 'put', key, value: Buffer.from('value') }], answer: 0 }))
  })
  afterEach(() => store.close())

  const key = Buffer.from('key')
  let count = 0
  const written = (value: string): Decision<void> => ({
    writes: [{ kind: 'put', key, value: Buffer.from(value) }],
    answer: undefined,
  })

  test.each<[what: string, decide: (value: Value | undefined) => Decision<unknown>]>([
    ['writes', () => written(String(Math.random()))],
    ['writes', () => ({ writes: [{ kind: 'add', key, amounts: [count++] }], answer: undefined })],
    ['answers', () => ({ writes: [], answer: { deep: [askedAgainMs()] } })],
    ['answers', () => ({ writes: [], answer: Symbol('new each time') })],
    [
      'effects',
      () =>
        count++ % 2 === 0
          ? written('same')
          : { ...written('same'), effect: { apply: () => undefined, undo: () => undefined } },
    ],
    [
      'errors',
      () => {
        throw new Error(`attempt ${count++}`)
      },
    ],
    [
      'outcomes',
      () => {
        if (count++ % 2 === 0) return written('same')
        throw new Error('not again')
      },
    ],
  ])('%s: %s', async (what, decide) => {
    await expect(store.transact([key], ([value]) => decide(value))).rejects.toThrow(`its ${what} differ`)
    expect((await store.view((snapshot) => snapshot.get(key)))?.toString()).toBe('value')
  })

  test('values that are written to', async () => {
    const scribble = store.transact([key], ([value]) => {
      value?.fill(0)
      return { writes: [], answer: undefined }
    })
    await expect(scribble).rejects.toThrow('has changed the values')
  })
})
