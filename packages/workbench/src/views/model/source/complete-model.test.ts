import { expect, test } from 'vitest'
import { suggestionsAt } from './complete-model.ts'

/** The words that are suggested at the mark. */
function at(marked: string): readonly string[] {
  const place = marked.indexOf('|')
  return suggestionsAt(marked.replace('|', ''), place, 'notes')?.words.map(({ label }) => label) ?? []
}

const file = (attribute: string, chain: string, pattern: string): string =>
  `import { entity, model, s } from '@hashrange/model'
const Note = entity('Note', { id: s.ulid(), title: ${attribute} })
  .key({ pk: 'NOTE#{id}' })${chain}
export const notes = model({ name: 'notes', entities: { Note }, patterns: (p) => ({ one: ${pattern} }) })
`

test('the words of the library and the names of the model are suggested where they fit', () => {
  expect(at(file('s.|', '', "p.get('Note')"))).toContain('string')
  expect(at(file('s.string().op|', '', "p.get('Note')"))).toContain('optional')
  expect(at(file('s.string()', '.vol|', "p.get('Note')"))).toContain('volume')
  expect(at(file('s.string()', '', 'p.|'))).toContain('query')
  expect(at(file('s.string()', '', "p.get('|')"))).toEqual(['Note'])
  expect(at(file('s.string()', "\n  .index('byTitle', { pk: '{|' })", "p.get('Note')"))).toEqual(['id', 'title'])
  expect(at(file('s.string()', "\n  .index('byTitle', { pk: '{title}' })", "p.query({ on: '|' })"))).toEqual([
    'byTitle',
  ])
  expect(at(file('s.string()', '', "p.query({ pk: 'NOTE#{id}', | })"))).toContain('limit')
  expect(at(file('s.string()', '', "p.query({ pk: 'NOTE#{id}', | })"))).not.toContain('pk')
  expect(at(file('s.string()', '', "p.get('Note', { traffic: { | } })"))).toEqual([
    'rate',
    'peakRate',
    'hotKeyShare',
    'items',
  ])
  expect(at('nothing |')).toEqual([])
})
