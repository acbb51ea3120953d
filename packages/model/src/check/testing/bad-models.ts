import type { EntityDescription } from '../../description.ts'
import { entity, model, s } from '../../index.ts'
import type { reviewTitles } from '../finding.ts'
import type { CheckedModel } from '../measure-model.ts'
import { badGlobalTables } from './bad-global-tables.ts'
import { badIndexes } from './bad-indexes.ts'
import { badKeys, unpaddedScores } from './bad-keys.ts'
import { notesModel } from './notes-model.ts'
import { badDesigns, growingAny, hotTenant, type Gallery } from './bad-designs.ts'
import { badDesignsAgain, growingHistory, hotPaper } from './bad-designs-again.ts'

/** A gallery of mistakes: for each kind of finding, models that have it. Whatever else could be said of them is kept in
 *  order, so that each shows one thing. */
export const badModels: Readonly<Record<keyof typeof reviewTitles, Readonly<Record<string, () => CheckedModel>>>> =
  {
    ...twice(badDesigns, badDesignsAgain),
    ...badKeys,
    ...badIndexes,
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
      'a newspaper with half of all issues': hotPaper,
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
      'a list of anything': growingHistory,
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
      'no owner of any of several': () => {
        const Post = entity('Post', { postId: s.ulid() }).key({ pk: 'POST#{postId}', sk: 'POST' })
        return model({
          name: 'posts',
          entities: { Post },
          patterns: (p) => ({ post: p.get('Post'), write: p.put('Post') }),
        })
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

/** The models of both galleries, by mistake. */
function twice<Code extends string>(
  first: Readonly<Record<Code, Gallery>>,
  second: Readonly<Record<Code, Gallery>>,
): Readonly<Record<Code, Gallery>> {
  const codes = Object.keys(first) as Code[]
  return Object.fromEntries(codes.map((code) => [code, { ...first[code], ...second[code] }])) as Record<
    Code,
    Gallery
  >
}
