import { gzipSync } from 'node:zlib'
import type { Compression } from '@hashrange/engine'
import { describe, expect, test } from 'vitest'
import { decompress } from './decompress.ts'

const text = '{"Item":{"pk":{"S":"a"}}}\n{"Item":{"pk":{"S":"b"}}}\n'
const compressed: Record<Compression, Buffer> = {
  NONE: Buffer.from(text),
  GZIP: gzipSync(text),
  ZSTD: Buffer.from('KLUv/QRYPQEABAJ7Ikl0ZW0iOnsicGsiOnsiUyI6ImEifX19CmIifX19CgEANj3HYcIYXQ==', 'base64'),
}

describe.each(['NONE', 'GZIP', 'ZSTD'] as const)('%s', (compression) => {
  test.each([1, 7, 1_000])('is read in pieces of %i bytes', async (pieceBytes) => {
    expect(await decompressedText(compressed[compression], compression, pieceBytes)).toBe(text)
  })
})

describe.each(['GZIP', 'ZSTD'] as const)('%s that is damaged', (compression) => {
  test('is refused, wherever it ends', async () => {
    await expect(decompressedText(compressed[compression].subarray(0, 20), compression, 7)).rejects.toThrow()
    await expect(decompressedText(Buffer.from('no such file'), compression, 7)).rejects.toThrow()
  })
})

async function decompressedText(bytes: Buffer, compression: Compression, pieceBytes: number): Promise<string> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
  }
  const parts: Uint8Array[] = []
  for await (const part of decompress(pieces(), compression)) parts.push(part)
  return Buffer.concat(parts).toString()
}
