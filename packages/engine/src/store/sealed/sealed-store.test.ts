import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeStore } from '../describe-store.ts'
import { openLmdbStore } from '../lmdb-store.ts'
import type { Store } from '../store.ts'
import { SealedStore } from './sealed-store.ts'
import { sealBytes, ValueSeal } from './value-seal.ts'

const folders: string[] = []
const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-sealed-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const secret = Buffer.alloc(32, 7)
/** In the contract, `n` counts. */
const isPlain = (key: Uint8Array): boolean => key.length === 1 && key[0] === 0x6e
const sealed = (store: Store): Store => new SealedStore(store, new ValueSeal(secret), isPlain)

describeStore('an encrypted store', async () => sealed(await openLmdbStore({ memory: true })))
describeStore('an encrypted store on disk', async () => sealed(await openLmdbStore({ path: newPath() })))

describe('an encrypted store', () => {
  test('has no value in any of its files, and reads them again', async () => {
    const path = newPath()
    const value = Buffer.from('a value that nobody else reads')
    let store = sealed(await openLmdbStore({ path }))
    await store.transact([], () => ({
      writes: [
        { kind: 'put', key: bytes('key'), value },
        { kind: 'insert', key: bytes('other'), value },
        { kind: 'append', log: bytes('log'), atMs: 1000, value },
      ],
      answer: undefined,
    }))
    const look = (): boolean => readdirSync(path).some((name) => readFileSync(join(path, name)).includes(value))
    expect(look()).toBe(false)
    await store.close()
    expect(look()).toBe(false)
    store = sealed(await openLmdbStore({ path }))
    const read: string[] = []
    await store.view((snapshot) =>
      snapshot.range({ from: bytes('a'), to: bytes('z') }, (_, found) => read.push(found.toString()) > 0),
    )
    expect(read).toEqual([value, value, value].map(String))
    await store.close()
  })
})

describe('a sealed value', () => {
  const seal = new ValueSeal(secret)
  const key = bytes('key')

  test.each([0, 1, 15, 16, 17, 400_000])('of %i bytes is opened again, by another process too', (length) => {
    const value = Buffer.alloc(length, 'v')
    const once = seal.seal(value, key)
    expect(once.length).toBe(length + sealBytes)
    expect(new ValueSeal(secret).open(once, key).equals(value)).toBe(true)
    expect(seal.seal(value, key).equals(once)).toBe(false)
  })

  test('is not opened for another key, with another secret, or after any bit of it has changed', () => {
    const once = seal.seal(bytes('value'), key)
    expect(() => seal.open(once, bytes('other'))).toThrow('cannot be decrypted')
    expect(() => new ValueSeal(Buffer.alloc(32, 8)).open(once, key)).toThrow('cannot be decrypted')
    for (let bit = 0; bit < once.length * 8; bit++) {
      const changed = Buffer.from(once)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => seal.open(changed, key), `bit ${bit}`).toThrow('cannot be decrypted')
    }
    for (let length = 0; length < once.length; length++) {
      expect(() => seal.open(once.subarray(0, length), key)).toThrow('cannot be decrypted')
    }
  })

  test('of a log is opened with any sequence of that log, and of no other', () => {
    const entry = seal.sealEntryOf(bytes('log'), bytes('value'))
    expect(seal.open(entry, bytes('log12345678')).toString()).toBe('value')
    expect(() => seal.open(entry, bytes('lug12345678'))).toThrow('cannot be decrypted')
  })
})

function bytes(text: string): Buffer {
  return Buffer.from(text)
}
