import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FolderBuckets } from './folder-buckets.ts'

let root: string
let buckets: FolderBuckets

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hashrange-buckets-'))
  await mkdir(join(root, 'exports'))
  buckets = new FolderBuckets(root)
})

afterEach(() => rm(root, { recursive: true }))

describe('a bucket in a folder', () => {
  test('gives back what was written, by key', async () => {
    const { etag } = await buckets.write('exports', 'a/b.json', chunksOf('one', 'two'))
    expect(etag).toMatch(/^[0-9a-f]{32}-1$/)
    expect(await objectText('a/b.json')).toBe('onetwo')
    expect(await readFile(join(root, 'exports', 'a', 'b.json'), 'utf8')).toBe('onetwo')
  })

  test('lists keys that begin with a prefix, which need not end at a slash', async () => {
    for (const key of ['data/b', 'data/a', 'data2/c', 'other']) await buckets.write('exports', key, chunksOf('x'))
    expect((await buckets.list('exports', 'data')).map(({ key }) => key)).toEqual(['data/a', 'data/b', 'data2/c'])
    expect(await buckets.list('exports', 'data/a')).toEqual([{ key: 'data/a', sizeBytes: 1 }])
  })

  test('never leads out of its folder', async () => {
    const keys = ['../../outside', 'up/..', '/absolute', 'a//b', 'a/./b', 'a%2e', 'back\\slash']
    for (const key of keys) {
      await buckets.write('exports', key, chunksOf(key))
      expect(await objectText(key)).toBe(key)
    }
    expect((await buckets.list('exports', '')).map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
    expect(await readdir(root)).toEqual(['exports'])
  })

  test('that does not exist says so, whatever its name is', async () => {
    for (const bucket of ['missing', '..', '../exports', '']) {
      await expect(buckets.list(bucket, '')).rejects.toMatchObject({ code: 'NoSuchBucket' })
      await expect(buckets.write(bucket, 'a', chunksOf('x'))).rejects.toMatchObject({ code: 'NoSuchBucket' })
    }
    await expect(objectText('missing')).rejects.toMatchObject({ code: 'NoSuchKey' })
  })

  test('keeps nothing of a write that fails', async () => {
    await writeFile(join(root, 'exports', 'kept'), 'before')
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('no more')
    }
    await expect(buckets.write('exports', 'kept', failing())).rejects.toThrow('no more')
    expect(await readdir(join(root, 'exports'))).toEqual(['kept'])
    expect(await objectText('kept')).toBe('before')
  })
})

async function* chunksOf(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

async function objectText(key: string): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of buckets.read('exports', key, 'NONE')) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
