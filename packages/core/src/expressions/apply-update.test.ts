import { describe, expect, test } from 'vitest'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { applyUpdate } from './apply-update.ts'
import { compileUpdate } from './compile-update.ts'
import { ExpressionScope } from './expression-scope.ts'
import type { Update } from './syntax.ts'
import { updatedAttributes } from './updated-attributes.ts'

type Values = Readonly<Record<string, unknown>>

const key: Item = { pk: { S: 'k' } }
const item: Item = {
  pk: { S: 'k' },
  n: { N: '10' },
  s: { S: 'text' },
  ss: { SS: ['a', 'b', 'c'] },
  l: { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }, { S: 'd' }] },
  m: { M: { one: { N: '1' }, elements: { L: [{ N: '0' }] }, below: { M: {} } } },
}

function compile(text: string, values?: Values, names?: Readonly<Record<string, string>>): Update {
  return compileUpdate(text, new ExpressionScope(names, values))
}

function after(text: string, values?: Values): Item | undefined {
  return applyUpdate(compile(text, values), item, key).item
}

function attribute(name: string, text: string, values?: Values): AttributeValue | undefined {
  return after(text, values)?.[name]
}

describe('SET', () => {
  test.each([
    ['fresh', 'SET fresh = :v', { ':v': { S: 'x' } }, { S: 'x' }],
    ['n', 'SET n = n + :v', { ':v': { N: '5' } }, { N: '15' }],
    ['n', 'SET n = :v - n', { ':v': { N: '0.5' } }, { N: '-9.5' }],
    ['s', 'SET s = if_not_exists(s, :v)', { ':v': { S: 'x' } }, { S: 'text' }],
    ['fresh', 'SET fresh = if_not_exists(fresh, :v)', { ':v': { S: 'x' } }, { S: 'x' }],
    ['fresh', 'SET fresh = if_not_exists(absent, s)', undefined, { S: 'text' }],
    ['fresh', 'SET fresh = if_not_exists(absent, :v) + n', { ':v': { N: '1' } }, { N: '11' }],
    [
      'fresh',
      'SET fresh = list_append(if_not_exists(absent, :v), :v)',
      { ':v': { L: [{ N: '1' }] } },
      { L: [{ N: '1' }, { N: '1' }] },
    ],
    ['fresh', 'SET fresh = m.elements[0]', undefined, { N: '0' }],
    ['l', 'SET l[1] = :v', { ':v': { S: 'x' } }, { L: [{ S: 'a' }, { S: 'x' }, { S: 'c' }, { S: 'd' }] }],
    [
      'l',
      'SET l[9] = :v, l[5] = :w',
      { ':v': { S: 'nine' }, ':w': { S: 'five' } },
      { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }, { S: 'd' }, { S: 'five' }, { S: 'nine' }] },
    ],
    [
      'm',
      'SET m.below.x = :v',
      { ':v': { N: '1' } },
      { M: { one: { N: '1' }, elements: { L: [{ N: '0' }] }, below: { M: { x: { N: '1' } } } } },
    ],
  ])('%s after %s', (name, text, values, expected) => {
    expect(attribute(name, text, values)).toEqual(expected)
  })

  test('every value is taken from the item as it was', () => {
    expect(after('SET n = s, s = n')).toMatchObject({ n: { S: 'text' }, s: { N: '10' } })
    expect(after('SET a = n REMOVE n ADD x :v', { ':v': { N: '1' } })).toMatchObject({ a: { N: '10' } })
  })

  test('a name such as __proto__ becomes an attribute', () => {
    const update = compile('SET #p = :v', { ':v': { S: 'x' } }, { '#p': '__proto__' })
    const updated = applyUpdate(update, item, key).item
    expect(Object.keys(updated ?? {})).toContain('__proto__')
    expect(Object.getPrototypeOf(updated)).toBe(Object.prototype)
  })
})

describe('REMOVE', () => {
  test('takes attributes away, and lets pass that there are none', () => {
    expect(after('REMOVE n, absent, m.absent, l[99]')).not.toHaveProperty('n')
  })

  test('indexes are those of the list before', () => {
    expect(attribute('l', 'REMOVE l[0], l[2]')).toEqual({ L: [{ S: 'b' }, { S: 'd' }] })
    expect(attribute('l', 'REMOVE l[0] SET l[1] = :v', { ':v': { S: 'x' } })).toEqual({
      L: [{ S: 'x' }, { S: 'c' }, { S: 'd' }],
    })
  })
})

describe('ADD and DELETE', () => {
  test.each([
    ['n', 'ADD n :v', { N: '-3' }, { N: '7' }],
    ['fresh', 'ADD fresh :v', { N: '3' }, { N: '3' }],
    ['fresh', 'ADD fresh :v', { SS: ['x'] }, { SS: ['x'] }],
    ['ss', 'ADD ss :v', { SS: ['c', 'd'] }, { SS: ['a', 'b', 'c', 'd'] }],
    ['ss', 'DELETE ss :v', { SS: ['b', 'x'] }, { SS: ['a', 'c'] }],
    ['ss', 'DELETE ss :v', { SS: ['c', 'b', 'a'] }, undefined],
    ['fresh', 'DELETE fresh :v', { SS: ['c'] }, undefined],
  ])('%s after %s with %j', (name, text, value, expected) => {
    expect(attribute(name, text, { ':v': value })).toEqual(expected)
  })

  test('ADD goes below the top level', () => {
    expect(attribute('m', 'ADD m.one :v, m.elements[0] :v', { ':v': { N: '1' } })).toEqual({
      M: { one: { N: '2' }, elements: { L: [{ N: '1' }] }, below: { M: {} } },
    })
  })
})

describe('errors', () => {
  const path = 'The document path provided in the update expression is invalid for update'
  const missing = 'The provided expression refers to an attribute that does not exist in the item'
  const type = 'An operand in the update expression has an incorrect data type'
  const number = { ':v': { N: '1' } }
  const set = { ':v': { NS: ['1'] } }
  test.each([
    ['SET absent.a.b = :v', number, path],
    ['SET m.absent.b = :v', number, path],
    ['SET s.a = :v', number, path],
    ['SET m[0] = :v', number, path],
    ['SET l.a = :v', number, path],
    ['SET absent[0] = :v', number, path],
    ['SET l[9].a = :v', number, path],
    ['ADD absent.a :v', number, path],
    ['REMOVE absent.a', undefined, path],
    ['REMOVE s.a', undefined, path],
    ['REMOVE m[0]', undefined, path],
    ['DELETE absent.a :v', set, path],
    ['SET a = absent', undefined, missing],
    ['SET a = absent + :v', number, missing],
    ['SET a = list_append(absent, l)', undefined, missing],
    ['SET a = s + :v', number, type],
    ['SET a = list_append(l, s)', undefined, type],
    ['ADD s :v', number, type],
    ['ADD ss :v', set, type],
    ['DELETE ss :v', set, type],
    ['DELETE n :v', set, type],
  ])('%s', (text, values, message) => {
    expect(() => after(text, values)).toThrow(message)
  })

  test('an item nests at most 32 levels', () => {
    let value: AttributeValue = { N: '1' }
    for (let level = 1; level < 31; level++) value = { L: [value] }
    expect(after('SET m.deep = :v', { ':v': value })).toBeDefined()
    expect(() => after('SET m.below.deep = :v', { ':v': value })).toThrow(
      'Nesting Levels have exceeded supported limits',
    )
  })

  test('a value that only its condition could hold is refused for the item', () => {
    let value: AttributeValue = { N: '1' }
    for (let level = 1; level < 33; level++) value = { L: [value] }
    const update = compileUpdate('SET deep = :v', new ExpressionScope(undefined, { ':v': value }, 'older'))
    expect(() => applyUpdate(update, item, key)).toThrow('Nesting Levels have exceeded supported limits')
  })
})

describe('the item', () => {
  test('begins with its key', () => {
    const update = compile('SET a = :v', { ':v': { N: '1' } })
    expect(applyUpdate(update, undefined, key).item).toEqual({ pk: { S: 'k' }, a: { N: '1' } })
  })

  test('is not created by what only takes away', () => {
    expect(applyUpdate(compile('REMOVE a'), undefined, key).item).toBeUndefined()
    // Of an item that is there, these paths would be invalid.
    expect(applyUpdate(compile('REMOVE a.b, c[0]'), undefined, key).item).toBeUndefined()
    const update = compile('DELETE a :v', { ':v': { SS: ['x'] } })
    expect(applyUpdate(update, undefined, key).item).toBeUndefined()
  })

  test('is created by an update of nothing', () => {
    expect(applyUpdate({ origin: 'AttributeUpdates', actions: [] }, undefined, key).item).toEqual(key)
  })

  test('stays as it was, and shares what is not touched', () => {
    const frozen = structuredClone(item)
    const updated = after('SET m.one = :v, l[0] = :v REMOVE n ADD ss :s', { ':v': { N: '2' }, ':s': { SS: ['z'] } })
    expect(item).toEqual(frozen)
    expect(updated?.['s']).toBe(item['s'])
  })
})

describe('updatedAttributes', () => {
  const before: Item = {
    a: { M: { b: { S: 'dog' }, c: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] } } },
    d: { S: 'cat' },
  }
  const value = { ':v': { N: '7' } }
  test.each([
    ['SET d = :v', value, { d: { S: 'cat' } }, { d: { N: '7' } }],
    ['SET d = :v, e = :v', value, { d: { S: 'cat' } }, { d: { N: '7' }, e: { N: '7' } }],
    ['REMOVE d', undefined, { d: { S: 'cat' } }, {}],
    ['SET a.b = :v', value, { a: { M: { b: { S: 'dog' } } } }, { a: { M: { b: { N: '7' } } } }],
    ['SET a.c[1] = :v', value, { a: { M: { c: { L: [{ N: '2' }] } } } }, { a: { M: { c: { L: [{ N: '7' }] } } } }],
    ['SET a.x = :v', value, {}, { a: { M: { x: { N: '7' } } } }],
    ['SET a.c[100] = :v', value, {}, {}],
    [
      'REMOVE a.c[1], a.c[3]',
      undefined,
      { a: { M: { c: { L: [{ N: '2' }] } } } },
      { a: { M: { c: { L: [{ N: '3' }] } } } },
    ],
  ])('%s', (text, values, old, updated) => {
    const update = compile(text, values)
    expect(updatedAttributes(update, before)).toEqual(old)
    expect(updatedAttributes(update, applyUpdate(update, before, key).item ?? {})).toEqual(updated)
  })
})
