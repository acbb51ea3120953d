import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { partitionHash } from './partition-hash.ts'

test('is the same whether it is made or kept', () => {
  const keys = ['a', 'customer#1', 'é', '🙂', 'half \ud800', 'half \ufffd', 'x'.repeat(500)]
  for (const key of [...keys, ...keys]) {
    const sha256 = createHash('sha256').update(Buffer.from(key)).digest('binary')
    expect(partitionHash(key)).toBe(sha256.slice(0, 16))
    expect(partitionHash(Buffer.from(key))).toBe(sha256.slice(0, 16))
  }
})

test('keeps nothing of the text that a key was cut from', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage().heapUsed
  for (let row = 0; row < 100; row++) {
    const line = Buffer.from(`customer#${String(row).padStart(20, '0')},${'x'.repeat(300_000)}`).toString()
    partitionHash(line.slice(0, 29))
  }
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
})
