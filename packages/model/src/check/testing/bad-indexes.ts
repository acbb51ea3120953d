import type { ModelDescription } from '../../description.ts'
import { entity, model, s } from '../../index.ts'
import type { CheckedModel } from '../measure-model.ts'

type Gallery = Readonly<Record<string, () => CheckedModel>>

/** More of the gallery: indexes that copy too much or too little, or that nobody needs. */
export const badIndexes = {
  'projection-too-wide': {
    'a body in every list': () => {
      const Post = entity('Post', {
        postId: s.ulid(),
        author: s.ulid(),
        at: s.iso(),
        title: s.string(),
        body: s.string().size(6000),
      })
        .key({ pk: 'POST#{postId}', sk: 'POST' })
        .index('byAuthor', { pk: 'AUTHOR#{author}', sk: '{at}' })
      return model({
        name: 'posts',
        owner: 'team',
        entities: { Post },
        patterns: (p) => ({ byAuthor2: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', limit: 20 }) }),
      })
    },
  },
  'projection-too-narrow': {
    'a filter on what is not copied': () => {
      const Post = entity('Post', {
        postId: s.ulid(),
        author: s.ulid(),
        at: s.iso(),
        language: s.enum('en', 'de'),
      })
        .key({ pk: 'POST#{postId}', sk: 'POST' })
        .index('byAuthor', { pk: 'AUTHOR#{author}', sk: '{at}' })
      return model({
        name: 'posts',
        owner: 'team',
        table: { indexes: { byAuthor: { projection: 'KEYS_ONLY' } } },
        entities: { Post },
        patterns: (p) => ({
          byLanguage: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', filter: ['language'], limit: 20 }),
        }),
      })
    },
    'readers who need more than keys': () => {
      const Post = entity('Post', {
        postId: s.ulid(),
        author: s.ulid(),
        at: s.iso(),
        body: s.string().size(2000),
      })
        .key({ pk: 'POST#{postId}', sk: 'POST' })
        .index('byAuthor', { pk: 'AUTHOR#{author}', sk: '{at}' })
      return model({
        name: 'posts',
        owner: 'team',
        table: { indexes: { byAuthor: { projection: 'KEYS_ONLY' } } },
        entities: { Post },
        patterns: (p) => ({
          feed: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', limit: 20, traffic: { itemBytes: 2000 } }),
        }),
      })
    },
  },
  'unused-index': {
    'an index for nobody': () => {
      const Post = entity('Post', { postId: s.ulid(), author: s.ulid() })
        .key({ pk: 'POST#{postId}', sk: 'POST' })
        .index('byAuthor', { pk: 'AUTHOR#{author}', sk: 'POST#{postId}' })
      return model({
        name: 'posts',
        owner: 'team',
        entities: { Post },
        patterns: (p) => ({ post: p.get('Post') }),
      })
    },
  },
  'too-many-indexes': {
    'twenty-one of them': () => indexesModel(21),
  },
  'write-amplification': {
    'six indexes for one entity': () => indexesModel(6),
  },
} satisfies Readonly<Record<string, Gallery>>

/** One entity in so many indexes, each read by a pattern. */
function indexesModel(count: number): ModelDescription {
  const Post = entity('Post', { postId: s.ulid(), author: s.ulid() })
    .key({ pk: 'POST#{postId}', sk: 'POST' })
    .index('byAuthor', { pk: 'AUTHOR#{author}', sk: 'POST#{postId}' })
  const { description } = model({
    name: 'posts',
    owner: 'team',
    entities: { Post },
    patterns: (p) => ({
      read: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', limit: 10 }),
      write: p.put('Post'),
    }),
  })
  const names = Array.from({ length: count }, (_, i) => `index${i}`)
  const [read, write] = description.patterns
  return {
    ...description,
    tables: description.tables.map((table) => ({
      ...table,
      indexes: table.indexes.flatMap((index) => names.map((name) => ({ ...index, name }))),
    })),
    entities: description.entities.map((each) => ({
      ...each,
      indexKeys: each.indexKeys.flatMap((key) => names.map((index) => ({ ...key, index }))),
    })),
    patterns: [
      ...names.flatMap((index) => (read === undefined ? [] : [{ ...read, name: index, index }])),
      ...(write === undefined ? [] : [write]),
    ],
  }
}
