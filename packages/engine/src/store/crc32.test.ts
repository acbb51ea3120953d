import { expect, test } from 'vitest'
import { crc32, tableCrc32 } from './crc32.ts'

test('both ways give the checksum of the standard', () => {
  for (const checksum of [crc32, tableCrc32]) {
    expect(checksum(Buffer.from('123456789'))).toBe(0xcbf43926)
    expect(checksum(Buffer.alloc(0))).toBe(0)
    expect(checksum(Buffer.from('healthy: dynamodb.us-east-1.amazonaws.com '))).toBe(3128867991)
  }
})
