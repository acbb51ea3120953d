import { expect, test } from 'vitest'
import { draftOfValue, valueOfDraft, withDraftType } from './value-draft.ts'

test('a value is typed as it was, whatever its type', () => {
  const values = [
    { S: 'a\nb' },
    { N: '12345678901234567890123456789012345678' },
    { B: 'AAE=' },
    { BOOL: false },
    { NULL: true as const },
    { SS: ['a', 'b'] },
    { L: [{ N: '1' }, { M: { x: { S: '' } } }] },
    { M: { a: { BOOL: true } } },
  ]
  for (const value of values) expect(valueOfDraft(draftOfValue(value))).toEqual({ kind: 'value', value })
})

test('what is no value is said, and another type keeps what fits', () => {
  expect(valueOfDraft({ type: 'N', text: 'seven' })).toMatchObject({ kind: 'problem' })
  expect(valueOfDraft({ type: 'L', text: '[' })).toMatchObject({ kind: 'problem' })
  expect(valueOfDraft({ type: 'SS', text: '[]' })).toMatchObject({ kind: 'problem' })
  expect(withDraftType({ type: 'S', text: '12' }, 'N')).toEqual({ type: 'N', text: '12' })
  expect(withDraftType({ type: 'S', text: '12' }, 'BOOL')).toEqual({ type: 'BOOL', text: 'false' })
})
