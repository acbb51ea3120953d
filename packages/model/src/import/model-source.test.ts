import { describe, expect, test } from 'vitest'
import type { ModelDescription } from '../description.ts'
import { loadSource, typeErrorsOf } from '../testing/load-source.ts'
import { shopDescription } from '../testing/shop-description.ts'
import { modelSource } from './model-source.ts'

/** What a model says, without what only its file knows. */
function essence({ tables, entities, patterns }: ModelDescription): unknown {
  return {
    tables,
    entities: entities.map((entity) => ({ ...entity, location: undefined })),
    patterns: patterns.map((pattern) => ({ ...pattern, location: undefined, parameters: undefined })),
  }
}

describe('the source of a model', () => {
  const source = modelSource(shopDescription, ['Made up.'])

  test('says what the model said', () => {
    expect(essence(loadSource(source).description)).toEqual(essence(shopDescription))
  })

  test('has no type errors', () => {
    expect(typeErrorsOf(source)).toBe('')
  })

  test.each(['for', 'let', 'eval', 'await', 'null', 'yield'])(
    'can be loaded where the model is called %s',
    (name) => {
      const named = modelSource({ ...shopDescription, name })
      expect(named).toContain(`export const ${name}Model = model({`)
      expect(loadSource(named).description.name).toBe(name)
    },
  )

  test('begins with the notes, and reads like a model file', () => {
    expect(source).toMatch(/^\/\/ Made up\.\nimport \{ entity, model, s \} from '@hashrange\/model'\n/)
    expect(source).toContain(`const Line = entity('Line', {
  orderId: s.ulid(),
  n: s.int().range(1, 9999),
  sku: s.string(),
  quantity: s.int(),
})
  .in('main')
  .key({ pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })
  .index('gsi1', { pk: 'ORDER#{orderId}', sk: 'LINE#{n:04}' })`)
  })
})

test('a name that could break out of the source stays a name', () => {
  const [customer] = shopDescription.entities
  const [email] = customer?.attributes.filter(({ name }) => name === 'email') ?? []
  if (customer === undefined || email === undefined) throw new Error('no customer')
  const names = ['__proto__', "it's", 'a */ b', 'new\nline', '${x}']
  const odd = { ...customer, attributes: [...customer.attributes, ...names.map((name) => ({ ...email, name }))] }
  const [main] = shopDescription.tables
  const model = { ...shopDescription, name: "o'shop", tables: main === undefined ? [] : [{ ...main, indexes: [] }] }
  const source = modelSource({ ...model, entities: [odd], patterns: [] }, ['two\nlines'])
  const loaded = loadSource(source).description
  expect(loaded.name).toBe("o'shop")
  expect(loaded.entities[0]?.attributes.map(({ name }) => name)).toEqual(expect.arrayContaining(names) as unknown)
})
