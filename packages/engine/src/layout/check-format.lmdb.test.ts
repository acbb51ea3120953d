import { expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { checkFormat, decodeFormat, encodeFormat } from './check-format.ts'
import { format, formatKey } from './key-space.ts'

const { version } = format
const newest = version + 1

async function storeWith(record: Buffer | undefined): Promise<Store> {
  const store = await openLmdbStore({ memory: true })
  if (record !== undefined) {
    await store.transact([], () => ({
      writes: [{ kind: 'put', key: formatKey(), value: record }],
      answer: undefined,
    }))
  }
  return store
}

function record(store: Store): Promise<Buffer | undefined> {
  return Promise.resolve(store.view((snapshot) => snapshot.get(formatKey())))
}

test('a new store says which version wrote it, and from which on it can be read and written', async () => {
  const store = await storeWith(undefined)
  await checkFormat(store)
  expect(decodeFormat((await record(store)) ?? Buffer.alloc(0))).toEqual(format)
  await store.close()
})

test('a store from when there was only a version is opened', async () => {
  expect(decodeFormat(Buffer.of(1))).toEqual({ version: 1, readableFrom: 1, writableFrom: 1 })
  const store = await storeWith(Buffer.of(1))
  const engine = await Engine.open({ store })
  await engine.close()
})

test('what a newer version wrote is opened where it can be written, and keeps its version', async () => {
  const newer = encodeFormat({ version: newest, readableFrom: 1, writableFrom: version })
  const store = await storeWith(newer)
  await checkFormat(store)
  expect(await record(store)).toEqual(newer)
  await store.close()
})

test.each([
  ['read but not written', { version: newest, readableFrom: version, writableFrom: newest }, true],
  ['neither read nor written', { version: newest, readableFrom: newest, writableFrom: newest }, false],
])('what can be %s is not opened, with what to do', async (_what, stored, isReadable) => {
  const store = await storeWith(encodeFormat(stored))
  await expect(checkFormat(store)).rejects.toMatchObject({
    code: 'incompatible',
    message: expect.stringContaining('Replace this server with the newer hashrange') as string,
  })
  const verify = (repair: boolean): Promise<unknown> => verifyStore({ store, repair, onFinding: () => undefined })
  if (isReadable) await expect(verify(false)).resolves.toMatchObject({ findings: 0 })
  else await expect(verify(false)).rejects.toMatchObject({ code: 'incompatible' })
  await expect(verify(true)).rejects.toMatchObject({ code: 'incompatible' })
  await store.close()
})
