import { describe, expect, test } from 'vitest'
import type { Item } from '../values/attribute-value.ts'
import { compileProjection } from './compile-projection.ts'
import { ExpressionScope } from './expression-scope.ts'
import { legacyProjection } from './legacy-updates.ts'
import { project } from './project.ts'

const item: Item = {
  pk: { S: 'k' },
  m: { M: { nested: { S: 'deep' }, further: { N: '42' }, elements: { L: [{ S: 'x' }, { S: 'y' }] } } },
  l: { L: [{ S: 'zero' }, { S: 'one' }, { M: { a: { N: '1' }, b: { N: '2' } } }, { S: 'three' }] },
}

function select(text: string, names?: Readonly<Record<string, string>>): Item {
  return project(compileProjection(text, new ExpressionScope(names, undefined)), item)
}

describe('project', () => {
  test.each([
    ['pk', { pk: { S: 'k' } }],
    ['pk, absent', { pk: { S: 'k' } }],
    ['absent', {}],
    ['m.nested', { m: { M: { nested: { S: 'deep' } } } }],
    ['m.nested, m.further', { m: { M: { nested: { S: 'deep' }, further: { N: '42' } } } }],
    ['m.absent', {}],
    ['m.nested.deeper', {}],
    ['pk[0], l.a', {}],
    ['l[1]', { l: { L: [{ S: 'one' }] } }],
    ['l[3], l[0], l[10]', { l: { L: [{ S: 'zero' }, { S: 'three' }] } }],
    ['l[10]', {}],
    ['l[2].b, l[0]', { l: { L: [{ S: 'zero' }, { M: { b: { N: '2' } } }] } }],
    ['m.elements[1], pk', { m: { M: { elements: { L: [{ S: 'y' }] } } }, pk: { S: 'k' } }],
  ])('%s', (text, expected) => {
    expect(select(text)).toEqual(expected)
  })

  test('very many names cost an item what it has of them', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `a${index}`)
    const projection = legacyProjection([...names, 'pk', '__proto__'])
    for (let i = 0; i < 20_000; i++) project(projection, item)
    expect(project(projection, { ...item, a7: { N: '7' } })).toEqual({ pk: { S: 'k' }, a7: { N: '7' } })
    const hostile: Item = { ['__proto__']: { S: 'x' } }
    expect(JSON.stringify(project(projection, hostile))).toBe('{"__proto__":{"S":"x"}}')
  })

  test('an alias may stand for any name', () => {
    expect(select('#m.#n', { '#m': 'm', '#n': 'nested' })).toEqual({ m: { M: { nested: { S: 'deep' } } } })
    const hostile: Item = { ['__proto__']: { S: 'x' } }
    const projection = compileProjection('#p', new ExpressionScope({ '#p': '__proto__' }, undefined))
    expect(JSON.stringify(project(projection, hostile))).toBe('{"__proto__":{"S":"x"}}')
    expect(project(projection, {})).toEqual({})
  })
})

describe('compileProjection', () => {
  const overlap = 'Two document paths overlap with each other; must remove or rewrite one of these paths; '
  const conflict = 'Two document paths conflict with each other; must remove or rewrite one of these paths; '
  test.each([
    ['', 'The expression can not be empty;'],
    ['!!! INVALID !!!', 'Syntax error; token: "!", near: "!!"'],
    ['a b', 'Syntax error; token: "b", near: "a b"'],
    ['a,', 'Syntax error; token: "<EOF>", near: ","'],
    ['(a.b).c', 'Syntax error; token: "(", near: "(a"'],
    ['pk, status', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['#a', 'An expression attribute name used in the document path is not defined; attribute name: #a'],
    [`a${'.b'.repeat(32)}`, 'The document path has too many nesting levels; nesting levels: 33'],
    ['a.b, a', `${overlap}path one: [a, b], path two: [a]`],
    ['a, b, a', `${overlap}path one: [a], path two: [a]`],
    ['a[1], a.b', `${conflict}path one: [a, [1]], path two: [a, b]`],
  ])('%j is refused', (text, problem) => {
    expect(() => compileProjection(text, new ExpressionScope(undefined, undefined))).toThrow(
      `Invalid ProjectionExpression: ${problem}`,
    )
  })

  test('a text without aliases is compiled once', () => {
    const scope = new ExpressionScope(undefined, undefined)
    expect(compileProjection('once.ever', scope)).toBe(compileProjection('once.ever', scope))
  })
})
