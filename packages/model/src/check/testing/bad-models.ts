import type { EntityDescription, ModelDescription } from '../../description.ts'
import { entity, model, s } from '../../index.ts'
import type { Patterns } from '../../model/model.ts'
import type { PatternMaker } from '../../model/patterns.ts'
import type { reviewTitles } from '../finding.ts'
import type { CheckedModel } from '../measure-model.ts'
import { badGlobalTables } from './bad-global-tables.ts'
import { badDesigns, growingAny, hotTenant } from './bad-designs.ts'

const User = entity('User', { userId: s.ulid(), name: s.string() }).key({ pk: 'USER#{userId}', sk: 'PROFILE' })
const Note = entity('Note', {
  userId: s.ulid(),
  noteId: s.ulid(),
  colour: s.enum('red', 'green', 'blue', 'white'),
  text: s.string().size(300),
})
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId}' })
  .volume({ perPartition: 40, maxPerPartition: 1000 })

type NotesMaker = PatternMaker<{ User: typeof User; Note: typeof Note }>

function notesModel(patterns: (p: NotesMaker) => Patterns) {
  return model({ name: 'notes', owner: 'team', entities: { User, Note }, patterns })
}

function unpaddedScores() {
  const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(0, 9_999_999) })
    .key({ pk: 'GAME#{game}', sk: 'SCORE#{score}#{player}' })
    .volume({ perPartition: 50, maxPerPartition: 100 })
  return model({
    name: 'scores',
    owner: 'team',
    entities: { Score },
    patterns: (p) => ({ top: p.query({ pk: 'GAME#{game}', sk: 'SCORE#*', order: 'desc' }) }),
  })
}

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

/** A gallery of mistakes: for each kind of finding, models that have it. Whatever else could be said of them is kept in
 *  order, so that each shows one thing. */
export const badModels: Readonly<Record<keyof typeof reviewTitles, Readonly<Record<string, () => CheckedModel>>>> =
  {
    ...badDesigns,
    ...badGlobalTables,
    scan: {
      'a list that is a scan': () =>
        notesModel((p) => ({ allNotes: p.scan({ entities: ['Note'], limit: 100, traffic: { rate: 3 } }) })),
    },
    filter: {
      'a status that is filtered': () =>
        notesModel((p) => ({
          byColour: p.query({ pk: 'USER#{userId}', sk: 'NOTE#*', filter: ['colour'], limit: 50 }),
        })),
    },
    'hot-partition': {
      'a tenant with a third of all items': hotTenant,
      'a celebrity whose followers all write to one key': () =>
        notesModel((p) => ({
          write: p.create('Note', { traffic: { rate: 6000, hotKeyShare: 0.5 } }),
        })),
      'a status index that takes every write': () => {
        const Job = entity('Job', { jobId: s.ulid(), state: s.enum('WAITING', 'DONE'), at: s.iso() })
          .key({ pk: 'JOB#{jobId}', sk: 'JOB' })
          .index('waiting', { pk: 'WAITING', sk: '{at}#{jobId}', when: { state: 'WAITING' } })
          .volume({ items: 10_000 })
        return model({
          name: 'jobs',
          owner: 'team',
          entities: { Job },
          patterns: (p) => ({
            enqueue: p.create('Job', { traffic: { rate: 5000 } }),
            next: p.query({ on: 'waiting', pk: 'WAITING', limit: 10, traffic: { rate: 5 } }),
          }),
        })
      },
      'a key that is the day': () => {
        const Event = entity('Event', { at: s.iso(), eventId: s.ulid() })
          .key({ pk: 'DAY#{at:day}', sk: '{at}#{eventId}' })
          .volume({ perPartition: 100 })
        return model({
          name: 'events',
          owner: 'team',
          entities: { Event },
          patterns: (p) => ({ record: p.create('Event', { traffic: { rate: 2500 } }) }),
        })
      },
      'a partition that everyone reads': () =>
        notesModel((p) => ({
          front: p.query({
            pk: 'USER#{userId}',
            sk: 'NOTE#*',
            limit: 25,
            traffic: { rate: 20_000, hotKeyShare: 0.9 },
          }),
        })),
    },
    'low-cardinality-key': {
      'an index by status': () => {
        const Order = entity('Order', { orderId: s.ulid(), status: s.enum('OPEN', 'PAID', 'SHIPPED'), at: s.iso() })
          .key({ pk: 'ORDER#{orderId}', sk: 'ORDER' })
          .index('byStatus', { pk: 'STATUS#{status}', sk: '{at}' })
          .volume({ items: 5_000_000 })
        return model({
          name: 'orders',
          owner: 'team',
          entities: { Order },
          patterns: (p) => ({ byStatus2: p.query({ on: 'byStatus', pk: 'STATUS#{status}', limit: 20 }) }),
        })
      },
    },
    'padding-too-narrow': {
      'a score beyond its digits': () => {
        const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(0, 9_999_999) })
          .key({ pk: 'GAME#{game}', sk: 'SCORE#{score:05}#{player}' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'scores',
          owner: 'team',
          entities: { Score },
          patterns: (p) => ({ add: p.create('Score') }),
        })
      },
      'a score below zero': () => {
        const Score = entity('Score', { game: s.ulid(), player: s.ulid(), score: s.int().range(-100, 100) })
          .key({ pk: 'GAME#{game}', sk: 'SCORE#{score:06}#{player}' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'scores',
          owner: 'team',
          entities: { Score },
          patterns: (p) => ({ add: p.create('Score') }),
        })
      },
    },
    'unpadded-number': {
      'a score as it is': unpaddedScores,
    },
    'date-does-not-sort': {
      'a date that is any string': () => {
        const Visit = entity('Visit', { userId: s.ulid(), visitedAt: s.string() })
          .key({ pk: 'USER#{userId}', sk: 'VISIT#{visitedAt}' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'visits',
          owner: 'team',
          entities: { Visit },
          patterns: (p) => ({ visits: p.query({ pk: 'USER#{userId}', sk: 'VISIT#*' }) }),
        })
      },
      'two precisions in one timeline': () => {
        const Call = entity('Call', { userId: s.ulid(), at: s.iso('second') })
          .key({ pk: 'USER#{userId}', sk: '{at}#CALL' })
          .volume({ maxPerPartition: 100 })
        const Mail = entity('Mail', { userId: s.ulid(), at: s.iso() })
          .key({ pk: 'USER#{userId}', sk: '{at}#MAIL' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'timeline',
          owner: 'team',
          entities: { Call, Mail },
          patterns: (p) => ({ timeline: p.query({ pk: 'USER#{userId}' }) }),
        })
      },
    },
    'prefix-overlap': {
      'ORDER# and ORDER#ITEM#': () => {
        const Order = entity('Order', { userId: s.ulid(), orderId: s.ulid() })
          .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}' })
          .volume({ maxPerPartition: 100 })
        const Item = entity('Item', { userId: s.ulid(), itemId: s.ulid() })
          .key({ pk: 'USER#{userId}', sk: 'ORDER#ITEM#{itemId}' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'overlap',
          owner: 'team',
          entities: { Order, Item },
          patterns: (p) => ({ orders: p.query({ pk: 'USER#{userId}', sk: 'ORDER#*' }) }),
        })
      },
      'a pattern that drops half of what it reads': () => {
        const Order = entity('Order', { userId: s.ulid(), orderId: s.ulid() })
          .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}' })
          .volume({ maxPerPartition: 100 })
        const Line = entity('Line', { userId: s.ulid(), orderId: s.ulid(), n: s.int().range(1, 99) })
          .key({ pk: 'USER#{userId}', sk: 'ORDER#{orderId}#LINE#{n:02}' })
          .volume({ maxPerPartition: 100 })
        return model({
          name: 'dropped',
          owner: 'team',
          entities: { Order, Line },
          patterns: (p) => ({ orders: p.query({ pk: 'USER#{userId}', sk: 'ORDER#*', entities: ['Order'] }) }),
        })
      },
    },
    'separator-injection': {
      'free text before a separator': () => {
        const Song = entity('Song', { artist: s.string(), title: s.string() })
          .key({ pk: 'SONG#{artist}#{title}', sk: 'SONG' })
          .volume({ items: 1000 })
        return model({
          name: 'songs',
          owner: 'team',
          entities: { Song },
          patterns: (p) => ({ song: p.get('Song') }),
        })
      },
      'free text where another key goes on': () => {
        const Page = entity('Page', { path: s.string() }).key({ pk: 'PAGE#{path}', sk: 'PAGE' })
        const Draft = entity('Draft', { path: s.uuid() }).key({ pk: 'PAGE#{path}#DRAFT', sk: 'PAGE' })
        return model({
          name: 'pages',
          owner: 'team',
          entities: { Page, Draft },
          patterns: (p) => ({ page: p.get('Page'), draft: p.get('Draft') }),
        })
      },
    },
    'unbounded-collection': {
      'all events of a device': () => {
        const Event = entity('Event', { device: s.ulid(), at: s.iso() })
          .key({ pk: 'DEVICE#{device}', sk: '{at}' })
          .volume({ perPartition: 100 })
        return model({
          name: 'devices',
          owner: 'team',
          entities: { Event },
          patterns: (p) => ({ events: p.query({ pk: 'DEVICE#{device}' }) }),
        })
      },
      'a collection of many pages': () => {
        const Event = entity('Event', { device: s.ulid(), at: s.iso(), text: s.string().size(500) })
          .key({ pk: 'DEVICE#{device}', sk: '{at}' })
          .volume({ perPartition: 100, maxPerPartition: 50_000 })
        return model({
          name: 'devices',
          owner: 'team',
          entities: { Event },
          patterns: (p) => ({ events: p.query({ pk: 'DEVICE#{device}' }) }),
        })
      },
    },
    'item-outgrows-limit': {
      'answers of any size': growingAny,
      'comments in a list': () => {
        const Post = entity('Post', { postId: s.ulid(), comments: s.list(s.string()) }).key({
          pk: 'POST#{postId}',
          sk: 'POST',
        })
        return model({
          name: 'posts',
          owner: 'team',
          entities: { Post },
          patterns: (p) => ({ post: p.get('Post') }),
        })
      },
      'a list whose bound is too high': () => {
        const Post = entity('Post', {
          postId: s.ulid(),
          comments: s.list(s.string().size(200, 1000)).count(5, 1000),
        }).key({
          pk: 'POST#{postId}',
          sk: 'POST',
        })
        return model({
          name: 'posts',
          owner: 'team',
          entities: { Post },
          patterns: (p) => ({ post: p.get('Post') }),
        })
      },
    },
    'collection-near-limit': {
      'a large collection with a local index': () => {
        const Event = entity('Event', {
          device: s.ulid(),
          at: s.iso(),
          level: s.int().range(0, 9),
          text: s.string().size(500),
        })
          .key({ pk: 'DEVICE#{device}', sk: '{at}' })
          .index('byLevel', { sk: '{level:01}#{at}' })
          .volume({ perPartition: 100, maxPerPartition: 15_000_000 })
        return model({
          name: 'devices',
          owner: 'team',
          table: { indexes: { byLevel: { projection: 'KEYS_ONLY' } } },
          entities: { Event },
          patterns: (p) => ({ events: p.query({ on: 'byLevel', pk: 'DEVICE#{device}', limit: 10 }) }),
        })
      },
    },
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
    'missing-discriminator': {
      'two entities and nothing to tell them apart': () => {
        const description = notesModel((p) => ({ note: p.query({ pk: 'USER#{userId}', limit: 100 }) })).description
        const twins = description.entities.map((each): EntityDescription => ({ ...each, name: `${each.name}Twin` }))
        return {
          ...description,
          entities: [...description.entities, ...twins],
          tables: description.tables.map((table) => ({ ...table, discriminator: '' })),
        }
      },
      'an index of look-alikes': () => {
        const Song = entity('Song', { id: s.ulid(), label: s.ulid() })
          .key({ pk: '{id}', sk: 'V' })
          .index('byLabel', { pk: 'LABEL#{label}', sk: 'SONG#{id}' })
        const { description } = model({
          name: 'catalogue',
          owner: 'team',
          table: { indexes: { byLabel: { projection: 'KEYS_ONLY' } } },
          entities: { Song },
          patterns: (p) => ({ ofLabel: p.query({ on: 'byLabel', pk: 'LABEL#{label}', limit: 10 }) }),
        })
        const albums = description.entities.map((song): EntityDescription => ({ ...song, name: 'Album' }))
        return { ...description, entities: [...description.entities, ...albums] }
      },
    },
    predecessor: {
      'another number of shards': () => {
        const Event = entity('Event', { id: s.ulid(), shard: s.shard(8, 'id', { was: 4 }) }).key({
          pk: 'EVENTS#{shard}',
          sk: '{id}',
        })
        return model({
          name: 'events',
          owner: 'team',
          entities: { Event },
          patterns: (p) => ({ add: p.create('Event') }),
        })
      },
    },
    'unowned-pattern': {
      'no owner anywhere': () => {
        const Post = entity('Post', { postId: s.ulid() }).key({ pk: 'POST#{postId}', sk: 'POST' })
        return model({ name: 'posts', entities: { Post }, patterns: (p) => ({ post: p.get('Post') }) })
      },
    },
    'over-budget': {
      'a page that costs too much': () =>
        notesModel((p) => ({ page: p.query({ pk: 'USER#{userId}', limit: 100, budget: { readUnits: 0.5 } }) })),
      'a lookup that is two requests': () => {
        const User = entity('User', { userId: s.ulid(), email: s.string() })
          .key({ pk: 'USER#{userId}', sk: 'USER' })
          .unique('email')
        return model({
          name: 'users',
          owner: 'team',
          entities: { User },
          patterns: (p) => ({ byEmail: p.lookup('User', 'email', { budget: { requests: 1 } }) }),
        })
      },
    },
    'wrong-order': {
      'scores by their text': unpaddedScores,
    },
    'returns-nothing': {
      'an index whose condition nothing meets': () => {
        const description = notesModel((p) => ({
          notes: p.query({ pk: 'USER#{userId}', sk: 'NOTE#*', limit: 10 }),
        })).description
        const patterns = description.patterns.map((pattern) => ({
          ...pattern,
          sort: { kind: 'between' as const, from: 'X', to: 'Y' },
        }))
        return { ...description, patterns }
      },
    },
    'pattern-failed': {
      'half of a composed key': () => {
        const Task = entity('Task', {
          taskId: s.ulid(),
          team: s.ulid(),
          state: s.enum('NEW', 'DONE'),
          rank: s.int().range(0, 999),
        })
          .key({ pk: 'TASK#{taskId}', sk: 'TASK' })
          .index('byTeam', { pk: 'TEAM#{team}', sk: '{state}#{rank:03}' })
        return model({
          name: 'tasks',
          owner: 'team',
          entities: { Task },
          patterns: (p) => ({
            ranked: p.query({ on: 'byTeam', pk: 'TEAM#{team}', limit: 10 }),
            promote: p.update('Task', { changes: ['rank'] }),
          }),
        })
      },
    },
    'table-refused': {
      'a name that DynamoDB does not take': () => {
        const Post = entity('Post', { postId: s.ulid() }).key({ pk: 'POST#{postId}', sk: 'POST' })
        return model({
          name: 'posts',
          owner: 'team',
          table: { name: 'my posts' },
          entities: { Post },
          patterns: (p) => ({ post: p.get('Post') }),
        })
      },
    },
  }
