import type { Randomness } from '../support/randomness.ts'

/** Texts that have opened doors elsewhere. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '%41',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '<script>',
  '${7*7}',
  "'; DROP TABLE entries; --",
  'a'.repeat(256),
  'a'.repeat(70_000),
  '#',
  ':',
  '.',
  '[0]',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '9'.repeat(39),
  '1e-131',
  'true',
  'null',
]

export const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  255,
  1_001,
  40_001,
  1e8,
  1e15,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
]

/** Anything that JSON can say, of any shape. */
export function anyValue(random: Randomness, depth = 0): unknown {
  switch (random.between(0, depth > 4 ? 4 : 7)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.oneOf(hostileNumbers)
    case 3:
    case 4:
      return random.oneOf(hostileTexts)
    case 5:
      return Array.from({ length: random.between(0, 4) }, () => anyValue(random, depth + 1))
    case 6:
      return nested(random.between(1, 200))
    default:
      return Object.fromEntries(
        Array.from({ length: random.between(0, 4) }, () => [
          random.oneOf(hostileTexts),
          anyValue(random, depth + 1),
        ]),
      )
  }
}

function nested(depth: number): unknown {
  let value: unknown = { S: 'x' }
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { L: [value] } : { M: { m: value } }
  return value
}
