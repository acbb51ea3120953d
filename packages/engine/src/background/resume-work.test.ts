import { expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { purgeKey } from '../layout/key-space.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { purgesLeft } from './purge.ts'

test('what is left to do is left alone by an engine that does not work in the background', async () => {
  const store = await openTestStore()
  await store.transact([], () => ({
    writes: [{ kind: 'put', key: purgeKey(7), value: Buffer.from('table') }],
    answer: undefined,
  }))
  const looking = await Engine.open({ store, worksInBackground: false })
  await looking.background.idle()
  expect(await purgesLeft(store)).toEqual([{ id: 7, kind: 'table' }])
  const working = await Engine.open({ store })
  await working.background.idle()
  expect(await purgesLeft(store)).toEqual([])
  await working.close()
})
