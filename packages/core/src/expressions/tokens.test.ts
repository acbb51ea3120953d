import { describe, expect, test } from 'vitest'
import { tokenize } from './tokens.ts'

describe('tokenize', () => {
  test.each([
    ['a.b[10]', ['word', '.', 'word', '[', 'integer', ']', 'end']],
    ['#a<>:b', ['alias', '<>', 'placeholder', 'end']],
    ['a<=b>=c<d>e=f', ['word', '<=', 'word', '>=', 'word', '<', 'word', '>', 'word', '=', 'word', 'end']],
    ['and OR Not bEtWeEn in', ['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'end']],
    ['set remove add delete', ['SET', 'REMOVE', 'ADD', 'DELETE', 'end']],
    ['android', ['word', 'end']],
    ['01', ['integer', 'integer', 'end']],
    ['_a', ['illegal', 'word', 'end']],
    ['# :', ['illegal', 'illegal', 'end']],
    ['\t\r\n ', ['end']],
    ['😀!', ['illegal', 'illegal', 'end']],
  ])('%j', (text, kinds) => {
    expect(tokenize(text).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('a character beyond the basic plane is one token', () => {
    expect(tokenize('😀a')[0]?.text).toBe('😀')
  })
})
