import { describe, expect, test } from 'vitest'
import type { Item } from '../values/attribute-value.ts'
import { applyUpdate } from './apply-update.ts'
import type { LegacyUpdate } from './legacy-updates.ts'
import { legacyProjection, legacyUpdate } from './legacy-updates.ts'
import { project } from './project.ts'

const key: Item = { pk: { S: 'k' } }
const item: Item = { pk: { S: 'k' }, n: { N: '1' }, ss: { SS: ['a', 'b'] }, l: { L: [{ N: '1' }] } }

function after(name: string, update: LegacyUpdate): unknown {
  return applyUpdate(legacyUpdate({ [name]: update }), item, key).item?.[name]
}

describe('legacyUpdate', () => {
  test.each<[string, LegacyUpdate, unknown]>([
    ['n', { Action: 'PUT', Value: { S: 'x' } }, { S: 'x' }],
    ['new', { Value: { N: '1.0' } }, { N: '1' }],
    ['n', { Action: 'ADD', Value: { N: '2' } }, { N: '3' }],
    ['new', { Action: 'ADD', Value: { N: '2' } }, { N: '2' }],
    ['ss', { Action: 'ADD', Value: { SS: ['b', 'c'] } }, { SS: ['a', 'b', 'c'] }],
    ['l', { Action: 'ADD', Value: { L: [{ N: '2' }] } }, { L: [{ N: '1' }, { N: '2' }] }],
    ['ss', { Action: 'DELETE', Value: { SS: ['a'] } }, { SS: ['b'] }],
    ['ss', { Action: 'DELETE' }, undefined],
    ['a.b', { Value: { N: '1' } }, { N: '1' }],
  ])('%s %j', (name, update, expected) => {
    expect(after(name, update)).toEqual(expected)
  })

  test.each<[LegacyUpdate, string]>([
    [{}, 'Only DELETE action is allowed when no attribute value is specified'],
    [{ Action: 'ADD' }, 'Only DELETE action is allowed when no attribute value is specified'],
    [{ Action: 'DELETE', Value: { S: '1' } }, 'DELETE action with value is not supported for the type S'],
    [{ Action: 'DELETE', Value: { L: [] } }, 'DELETE action with value is not supported for the type L'],
    [{ Action: 'ADD', Value: { BOOL: true } }, 'ADD action is not supported for the type BOOL'],
  ])('%j is refused', (update, problem) => {
    expect(() => legacyUpdate({ a: update })).toThrow(`One or more parameter values were invalid: ${problem}`)
  })

  test('a value of another type is refused in the words of the legacy form', () => {
    expect(() => after('ss', { Action: 'ADD', Value: { N: '1' } })).toThrow('Type mismatch for attribute to update')
    expect(() => after('n', { Action: 'DELETE', Value: { NS: ['1'] } })).toThrow(
      'Type mismatch for attribute to update',
    )
  })
})

describe('the name of an attribute', () => {
  test.each([
    ['', 'Empty attribute name'],
    ['a'.repeat(65_536), 'Attribute name is too large, must be less than 65536 bytes'],
  ])('is neither empty nor longer than 65535 bytes', (name, message) => {
    expect(() => legacyProjection(['a', name])).toThrow(message)
    expect(() => legacyUpdate({ [name]: { Action: 'DELETE' } })).toThrow(message)
  })
})

describe('legacyProjection', () => {
  test('takes top-level attributes', () => {
    expect(project(legacyProjection(['n', 'absent']), item)).toEqual({ n: { N: '1' } })
  })

  test('refuses a name given twice', () => {
    expect(() => legacyProjection(['a', 'b', 'a'])).toThrow(
      'One or more parameter values were invalid: Duplicate value in attribute name: a',
    )
  })
})
