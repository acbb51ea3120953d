import { readItem, type Item } from '@hashrange/core'
import * as fc from 'fast-check'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\n', '"', "'", '\\', '\0', ','),
)
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('__proto__', 'constructor', '$10', 'null', '$ion_1_0', "it's", 'a b', 'Item', 'ключ'),
)
const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    '0',
    '-0.001',
    '600',
    '1E125',
    '9.9E125',
    '1E-130',
    '-1E-130',
    '12345678901234567890123456789012345678',
  ),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: -90, max: 80 }))
    .map(([digits, exponent]) => `${digits}E${exponent}`),
)
const binary = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const setOf = (members: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc.uniqueArray(members, { minLength: 1, maxLength: 5 })

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text.map((S) => ({ S })),
    number.map((N) => ({ N })),
    binary.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    setOf(text).map((SS) => ({ SS })),
    setOf(fc.integer().map(String)).map((NS) => ({ NS })),
    setOf(binary).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 4 }).map((L) => ({ L })),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => ({ M: Object.fromEntries(entries) })),
  ),
}))

/** Any attributes that an item of the key `pk` can have, as the service would store them. */
export const arbitraryItem: fc.Arbitrary<Item> = fc
  .tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.array(fc.tuple(name, value), { maxLength: 6 }))
  .map(([pk, attributes]) => readItem({ ...Object.fromEntries(attributes), pk: { S: pk } }))
