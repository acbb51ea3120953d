import { randomBytes } from 'node:crypto'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The kinds of identifiers that IAM gives out, by what they begin with. */
export type IdPrefix = 'AGPA' | 'AIDA' | 'AKIA' | 'ANPA' | 'AROA' | 'ASIA'

/** An identifier as AWS makes them: four letters of its kind, then 80 bits in base 32, of which the 40 after the first are the account. So whoever has a key can tell whose
 *  it is. */
export function newId(prefix: IdPrefix, accountId: string): string {
  const random = randomBytes(5).readUIntBE(0, 5)
  let bits = (1n << 79n) | (BigInt(accountId) << 39n) | (BigInt(random) & ((1n << 39n) - 1n))
  let text = ''
  for (let index = 0; index < 16; index++) {
    text = (base32[Number(bits & 31n)] ?? '') + text
    bits >>= 5n
  }
  return prefix + text
}

/** 40 characters, as AWS's secrets have. */
export function newSecret(): string {
  return randomBytes(30).toString('base64')
}
