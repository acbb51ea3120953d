import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { setAttributeOptional, setAttributeType } from './edit-attribute.ts'
import {
  addAttribute,
  addEntity,
  addIndexKey,
  removeAttribute,
  removeEntity,
  renameAttribute,
  renameEntity,
  setKey,
  setVolume,
} from './edit-entities.ts'
import { removeIndex, renameIndex, setIndexConfig } from './edit-indexes.ts'
import { addPattern, removePattern, renamePattern, setFigure, setPatternText } from './edit-patterns.ts'
import { outlineOf, type EntityPlace, type ModelOutline, type PatternPlace } from './model-outline.ts'
import { entityForm, indexForms, patternForm } from './read-forms.ts'

const templates = ['shop', 'music', 'saas', 'leaderboard', 'bookings', 'ledger'].map((name) => ({
  name,
  text: readFileSync(
    new URL(`../../../../../hashrange/templates/${name}/${name}.model.ts`, import.meta.url),
    'utf8',
  ),
}))

const notes = `import { entity, model, s } from "@hashrange/model";

/* Who writes. */
const Author = entity("Author", {
  // It never changes.
  authorId: s.ulid(), // made by us
  /** As shown. */
  name: s.string().size(20).optional(),

  kind: s.enum("name", "pen name"),
})
  .key({ pk: "AUTHOR#{authorId}", sk: "AUTHOR" })
  // The list of all, by name.
  .index("byName", { pk: "AUTHORS", sk: "{name}#{authorId}" })
  .volume({ items: 10_000 });

export const notes = model({
  name: "notes",
  table: { indexes: { byName: { projection: "KEYS_ONLY" } } },
  entities: { Author },
  patterns: (p) => ({
    // Reads.
    author: p.get("Author"),
    authors: p.query({ on: "byName", pk: "AUTHORS", limit: 20 }),
    write: p.transact({ "Author.create": 1 }),
    rename: p.update("Author", { changes: ["name"], traffic: { rate: 5 } }),
  }),
});
`

const of = (text: string, name = 'notes'): ModelOutline => {
  const outline = outlineOf(text, name)
  if (outline === undefined) throw new Error('it has no model')
  return outline
}
const entityIn = (outline: ModelOutline, name: string): EntityPlace => {
  const found = outline.entities.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no entity ${name}`)
  return found
}
const patternIn = (outline: ModelOutline, name: string): PatternPlace => {
  const found = outline.patterns.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no pattern ${name}`)
  return found
}
/** The lines that one text has and the other has not. */
const difference = (before: string, after: string): readonly string[] => {
  const [old, next] = [before.split('\n'), after.split('\n')]
  return [
    ...old.filter((line) => !next.includes(line)).map((line) => `-${line}`),
    ...next.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ]
}

const outline = of(notes)
const author = entityIn(outline, 'Author')

describe('a model file as forms', () => {
  test('is read: entities, keys, indexes and patterns', () => {
    expect(entityForm(outline, author)).toMatchObject({
      attributes: [
        { name: 'authorId', type: 'ulid', isOptional: false },
        { name: 'name', type: 'string', isOptional: true },
        { name: 'kind', type: 'enum', argument: '"name", "pen name"' },
      ],
      pk: { kind: 'template', text: 'AUTHOR#{authorId}' },
      indexKeys: [{ index: 'byName', sk: { text: '{name}#{authorId}' } }],
      items: 10_000,
    })
    expect(indexForms(outline)).toMatchObject([{ name: 'byName', projection: 'KEYS_ONLY' }])
    expect(outline.patterns.map((each) => patternForm(outline, each))).toMatchObject([
      { name: 'author', action: 'get', entity: 'Author' },
      { name: 'authors', action: 'query', texts: { on: 'byName', pk: 'AUTHORS' }, limit: 20 },
      { name: 'write', action: 'transact' },
      { name: 'rename', action: 'update', texts: { changes: 'name' }, traffic: { rate: 5 } },
    ])
  })

  test.each<[string, string, readonly string[]]>([
    ['an attribute is added', addAttribute(outline, author, 'born'), ['+  born: s.string(),']],
    [
      'an attribute is removed with its comment',
      removeAttribute(outline, author, 'name'),
      ['-  /** As shown. */', '-  name: s.string().size(20).optional(),'],
    ],
    [
      'an attribute is renamed in keys and patterns, but not in values',
      renameAttribute(outline, author, 'name', 'penName'),
      [
        '-  name: s.string().size(20).optional(),',
        '-  .index("byName", { pk: "AUTHORS", sk: "{name}#{authorId}" })',
        '-    rename: p.update("Author", { changes: ["name"], traffic: { rate: 5 } }),',
        '+  penName: s.string().size(20).optional(),',
        '+  .index("byName", { pk: "AUTHORS", sk: "{penName}#{authorId}" })',
        '+    rename: p.update("Author", { changes: ["penName"], traffic: { rate: 5 } }),',
      ],
    ],
    [
      'a type is changed',
      setAttributeType(outline, author, 'name', 'int'),
      ['-  name: s.string().size(20).optional(),', '+  name: s.int().optional(),'],
    ],
    [
      'an attribute becomes required',
      setAttributeOptional(outline, author, 'name', false),
      ['-  name: s.string().size(20).optional(),', '+  name: s.string().size(20),'],
    ],
    [
      'a template is changed',
      setKey(outline, author, undefined, 'sk', { kind: 'template', text: 'IT\'S "A"' }),
      [
        '-  .key({ pk: "AUTHOR#{authorId}", sk: "AUTHOR" })',
        String.raw`+  .key({ pk: "AUTHOR#{authorId}", sk: "IT'S \"A\"" })`,
      ],
    ],
    [
      'a key in another index is added after the others',
      addIndexKey(outline, author, 'byKind', 'KIND#{kind}', ''),
      ['+  .index("byKind", { pk: "KIND#{kind}" })'],
    ],
    [
      'an index is removed with what reads it',
      removeIndex(outline, 'byName'),
      [
        '-  // The list of all, by name.',
        '-  .index("byName", { pk: "AUTHORS", sk: "{name}#{authorId}" })',
        '-  table: { indexes: { byName: { projection: "KEYS_ONLY" } } },',
        '-    authors: p.query({ on: "byName", pk: "AUTHORS", limit: 20 }),',
        '+  table: { indexes: {} },',
      ],
    ],
    [
      'a projection is changed',
      setIndexConfig(outline, 'byName', 'projection', 'kind'),
      [
        '-  table: { indexes: { byName: { projection: "KEYS_ONLY" } } },',
        '+  table: { indexes: { byName: { projection: ["kind"] } } },',
      ],
    ],
    [
      'a volume is changed as the file writes numbers',
      setVolume(outline, author, 'items', 2_500_000),
      ['-  .volume({ items: 10_000 });', '+  .volume({ items: 2_500_000 });'],
    ],
    [
      'a pattern is added',
      addPattern(outline, 'byAuthor', 'query', 'Author'),
      ['+    byAuthor: p.query({ pk: "AUTHOR#{authorId}" }),'],
    ],
    [
      'a pattern without options gets traffic',
      setFigure(outline, patternIn(outline, 'author'), 'traffic', 'rate', 12),
      ['-    author: p.get("Author"),', '+    author: p.get("Author", { traffic: { rate: 12 } }),'],
    ],
    [
      'traffic goes when its last figure goes',
      setFigure(outline, patternIn(outline, 'rename'), 'traffic', 'rate', undefined),
      [
        '-    rename: p.update("Author", { changes: ["name"], traffic: { rate: 5 } }),',
        '+    rename: p.update("Author", { changes: ["name"] }),',
      ],
    ],
    [
      'a pattern is changed',
      setPatternText(outline, patternIn(outline, 'authors'), 'order', 'desc'),
      [
        '-    authors: p.query({ on: "byName", pk: "AUTHORS", limit: 20 }),',
        '+    authors: p.query({ on: "byName", pk: "AUTHORS", limit: 20, order: "desc" }),',
      ],
    ],
    [
      'a pattern is removed',
      removePattern(outline, patternIn(outline, 'write')),
      ['-    write: p.transact({ "Author.create": 1 }),'],
    ],
    [
      'an entity is removed with its patterns',
      removeEntity(outline, author),
      [
        ...notes
          .split('\n')
          .slice(2, 15)
          .filter((line) => line !== '')
          .map((line) => `-${line}`),
        '-  entities: { Author },',
        '-    // Reads.',
        '-    author: p.get("Author"),',
        '-    write: p.transact({ "Author.create": 1 }),',
        '-    rename: p.update("Author", { changes: ["name"], traffic: { rate: 5 } }),',
        '+  entities: {},',
      ],
    ],
    [
      'an entity is added before the model, with its imports',
      addEntity(outline, 'BlogPost'),
      [
        '-import { entity, model, s } from "@hashrange/model";',
        '-  entities: { Author },',
        '+import { entity, model, s, ulid } from "@hashrange/model";',
        '+const BlogPost = entity("BlogPost", {',
        '+  blogPostId: s.ulid().default(ulid),',
        '+  .key({ pk: "BLOG_POST#{blogPostId}", sk: "BLOG_POST" })',
        '+  entities: { Author, BlogPost },',
      ],
    ],
  ])('%s', (_, after, expected) => {
    expect(difference(notes, after)).toEqual(expected)
  })

  test('names in objects of one line and in shorthand', () => {
    const twice = of(renameIndex(of(renameEntity(outline, 'Author', 'Writer')), 'byName', 'people'))
    expect(twice.source.text.replaceAll('Writer', 'Author').replaceAll('people', 'byName')).toBe(notes)
    expect(twice.source.text).toContain('const Writer = entity("Writer"')
    expect(twice.source.text).toContain('entities: { Writer }')
    expect(twice.source.text).toContain('on: "people"')
    expect(renamePattern(outline, 'write', 'with-a dash')).toContain('"with-a dash": p.transact(')
  })

  describe.each(templates)('$name', ({ name, text }) => {
    const whole = of(text, name)

    test('has all of its parts in the forms', () => {
      expect(whole.entities.length).toBeGreaterThan(1)
      expect(whole.elsewhere).toEqual([])
      expect(whole.patterns.every(({ chain }) => chain !== undefined)).toBe(true)
      expect(whole.entities.every((each) => entityForm(whole, each).pk !== undefined)).toBe(true)
    })

    test('is the same text again when what was added is removed', () => {
      for (const { name: entity } of whole.entities) {
        const more = of(addAttribute(whole, entityIn(whole, entity), 'extra'), name)
        expect(removeAttribute(more, entityIn(more, entity), 'extra')).toBe(text)
        const renamed = of(renameEntity(whole, entity, 'Qqqqq'), name)
        expect(renameEntity(renamed, 'Qqqqq', entity)).toBe(text)
      }
      const more = of(addPattern(whole, 'extra', 'get', whole.entities[0]?.name ?? ''), name)
      expect(removePattern(more, patternIn(more, 'extra'))).toBe(text)
      for (const { name: index } of indexForms(whole)) {
        expect(renameIndex(of(renameIndex(whole, index, 'qqqqq'), name), 'qqqqq', index)).toBe(text)
      }
    })
  })

  test('a file that is written in another way has no forms, and nothing is thrown', () => {
    for (const text of [
      '',
      'const',
      'export default 5',
      'model(',
      'model({})',
      'model({ name: `x${1}`, patterns })',
      notes.slice(0, 900),
    ]) {
      const found = outlineOf(text, 'notes')
      found?.entities.forEach((each) => entityForm(found, each))
      if (found !== undefined) indexForms(found)
    }
    expect(outlineOf('export default 5', 'x')).toBeUndefined()
  })
})
