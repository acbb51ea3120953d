import { describe, expect, test } from 'vitest'
import { flag, json, number, oneOf, readUrl, text, writeUrl } from './url-state.ts'

const schema = {
  index: text(),
  size: number(50),
  desc: flag(),
  mode: oneOf(['query', 'scan'], 'query'),
  filters: json<readonly string[]>([], (value) => {
    if (!Array.isArray(value)) throw new Error('no list')
    return value.map(String)
  }),
}

describe('state in the URL', () => {
  test('is what was written', () => {
    const state = { index: 'a&b=c#d', size: 7, desc: true, mode: 'scan', filters: ['x', '"'] } as const
    expect(readUrl(schema, writeUrl(schema, '', state))).toEqual(state)
  })

  test('is what was written, whatever it looks like when it is encoded', () => {
    const hostile = [
      'A',
      '%41',
      '%2541',
      '%',
      '%%',
      '%zz',
      '+',
      ' ',
      '%2B',
      '%20',
      '#',
      '&',
      '=',
      'a&b=c',
      '/',
      '?',
      '\\',
      '"',
      '\0',
      '\u2028',
    ]
    for (const index of [...hostile, 'é', 'e\u0301', '日本', '🙂', '%F0%9F%99%82', '__proto__', '{"S":"x"}']) {
      expect(readUrl(schema, writeUrl(schema, '', { index, filters: [index] }))).toMatchObject({
        index,
        filters: [index],
      })
    }
    expect(readUrl(schema, writeUrl(schema, '', { filters: ['\ud800', 'a\udc00'] })).filters).toEqual([
      '\ud800',
      'a\udc00',
    ])
  })

  test('leaves out what is as ever, and keeps what others have written', () => {
    expect(writeUrl(schema, '?scope=1&size=7', { size: 50, index: '' })).toBe('?scope=1')
    expect(writeUrl(schema, '?size=7', { size: 50 })).toBe('')
  })

  test('makes something usable of anything', () => {
    const fallback = { index: '', size: 50, desc: false, mode: 'query', filters: [] }
    expect(readUrl(schema, '?size=x&mode=no&filters=%7B')).toEqual(fallback)
    expect(readUrl(schema, '?filters=5&desc=yes')).toEqual(fallback)
  })
})
