import { entity, model, s } from '../../index.ts'
import type { CheckedModel } from '../measure-model.ts'

export type Gallery = Readonly<Record<string, () => CheckedModel>>

/** More of the gallery: mistakes of design, of which each request by itself is fine. */
export const badDesigns = {
  'sparse-index-covers-all': {
    'an index of all states': () => {
      const Job = entity('Job', { jobId: s.ulid(), state: s.enum('WAITING', 'DONE'), queue: s.ulid() })
        .key({ pk: 'JOB#{jobId}', sk: 'JOB' })
        .index('open', { pk: 'QUEUE#{queue}', sk: '{jobId}', when: { state: ['WAITING', 'DONE'] } })
      return model({
        name: 'jobs',
        owner: 'team',
        entities: { Job },
        patterns: (p) => ({ open: p.query({ on: 'open', pk: 'QUEUE#{queue}', limit: 10 }) }),
      })
    },
  },
  'personal-data-in-key': {
    'users by their address': () => {
      const User = entity('User', { email: s.string(), name: s.string() }).key({ pk: 'USER#{email}', sk: 'USER' })
      return model({ name: 'users', owner: 'team', entities: { User }, patterns: (p) => ({ user: p.get('User') }) })
    },
    'an index of phone numbers': () => {
      const User = entity('User', { userId: s.ulid(), phoneNumber: s.string() })
        .key({ pk: 'USER#{userId}', sk: 'USER' })
        .index('byPhone', { pk: 'PHONE#{phoneNumber}', sk: '{userId}' })
      return model({
        name: 'users',
        owner: 'team',
        entities: { User },
        patterns: (p) => ({ byPhone: p.query({ on: 'byPhone', pk: 'PHONE#{phoneNumber}', limit: 1 }) }),
      })
    },
  },
  'crosses-tenants': {
    'an index without the tenant': () => {
      const Project = entity('Project', { tenantId: s.ulid(), projectId: s.ulid() }).key({
        pk: 'TENANT#{tenantId}',
        sk: 'PROJECT#{projectId}',
      })
      const Task = entity('Task', { tenantId: s.ulid(), taskId: s.ulid(), assignee: s.ulid() })
        .key({ pk: 'TENANT#{tenantId}', sk: 'TASK#{taskId}' })
        .index('byAssignee', { pk: 'ASSIGNEE#{assignee}', sk: '{taskId}' })
      return model({
        name: 'tasks',
        owner: 'team',
        entities: { Project, Task },
        patterns: (p) => ({
          tasks: p.query({ on: 'byAssignee', pk: 'ASSIGNEE#{assignee}', limit: 50 }),
          projects: p.query({ pk: 'TENANT#{tenantId}', sk: 'PROJECT#*', limit: 50 }),
        }),
      })
    },
  },
  'date-partition-key': {
    'events by day, without traffic': () => {
      const Event = entity('Event', { at: s.iso(), eventId: s.ulid() })
        .key({ pk: 'DAY#{at:day}', sk: '{at}#{eventId}' })
        .volume({ perPartition: 100 })
      return model({
        name: 'events',
        owner: 'team',
        entities: { Event },
        patterns: (p) => ({
          record: p.create('Event'),
          ofDay: p.query({ pk: 'DAY#{at:day}', limit: 100 }),
        }),
      })
    },
  },
  'keys-only-then-get': {
    'a list of keys': () => {
      const Article = entity('Article', { articleId: s.ulid(), author: s.ulid(), text: s.string().size(400) })
        .key({ pk: 'ARTICLE#{articleId}', sk: 'ARTICLE' })
        .index('byAuthor', { pk: 'AUTHOR#{author}', sk: '{articleId}' })
      return model({
        name: 'articles',
        owner: 'team',
        table: { indexes: { byAuthor: { projection: 'KEYS_ONLY' } } },
        entities: { Article },
        patterns: (p) => ({
          ofAuthor: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', limit: 20, traffic: { rate: 10 } }),
          articles: p.batchGet('Article', { traffic: { rate: 10, items: 20 } }),
        }),
      })
    },
  },
  'limit-hides-entity': {
    'a profile behind all notes': () => {
      const Note = entity('Note', { userId: s.ulid(), noteId: s.ulid() })
        .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId}' })
        .volume({ perPartition: 200, maxPerPartition: 1000 })
      const Profile = entity('Profile', { userId: s.ulid(), name: s.string() }).key({
        pk: 'USER#{userId}',
        sk: 'PROFILE',
      })
      return model({
        name: 'notes',
        owner: 'team',
        entities: { Note, Profile },
        patterns: (p) => ({ page: p.query({ pk: 'USER#{userId}', limit: 25 }) }),
      })
    },
  },
  'put-overwrites': {
    'a reading a day': () => {
      const Reading = entity('Reading', { device: s.ulid(), at: s.iso(), value: s.number() })
        .key({ pk: 'DEVICE#{device}', sk: '{at:day}' })
        .volume({ perPartition: 30, maxPerPartition: 400 })
      return model({
        name: 'readings',
        owner: 'team',
        entities: { Reading },
        patterns: (p) => ({ record: p.put('Reading'), readings: p.query({ pk: 'DEVICE#{device}', limit: 50 }) }),
      })
    },
  },
  'transaction-contention': {
    'a total that every sale changes': () => {
      const Total = entity('Total', { shop: s.ulid(), cents: s.int() })
        .key({ pk: 'SHOP#{shop}', sk: 'TOTAL' })
        .volume({ items: 3 })
      const Sale = entity('Sale', { shop: s.ulid(), saleId: s.ulid(), cents: s.int() })
        .key({ pk: 'SHOP#{shop}', sk: 'SALE#{saleId}' })
        .volume({ perPartition: 100 })
      return model({
        name: 'sales',
        owner: 'team',
        entities: { Total, Sale },
        patterns: (p) => ({
          sell: p.transact({ 'Sale.create': 1, 'Total.update': 1 }, { traffic: { rate: 120 } }),
        }),
      })
    },
  },
  'unique-with-ttl': {
    'a seat that is held for minutes': () => {
      const Hold = entity('Hold', { holdId: s.ulid(), seat: s.string(), until: s.ttl() })
        .key({ pk: 'HOLD#{holdId}', sk: 'HOLD' })
        .unique('seat')
      return model({
        name: 'holds',
        owner: 'team',
        entities: { Hold },
        patterns: (p) => ({ hold: p.create('Hold') }),
      })
    },
  },
} satisfies Readonly<Record<string, Gallery>>

/** Nobody declared that one tenant is a third of the data, but its size tells. */
export function hotTenant(): CheckedModel {
  const Entry = entity('Entry', { customer: s.ulid(), entryId: s.ulid() })
    .key({ pk: 'CUSTOMER#{customer}', sk: 'ENTRY#{entryId}' })
    .volume({ items: 3_000_000, perPartition: 300, maxPerPartition: 1_000_000 })
  return model({
    name: 'entries',
    owner: 'team',
    entities: { Entry },
    patterns: (p) => ({ add: p.create('Entry', { traffic: { rate: 4000 } }) }),
  })
}

/** A value of any shape that updates make larger. */
export function growingAny(): CheckedModel {
  const Form = entity('Form', { formId: s.ulid(), answers: s.any<Record<string, string>>() }).key({
    pk: 'FORM#{formId}',
    sk: 'FORM',
  })
  return model({
    name: 'forms',
    owner: 'team',
    entities: { Form },
    patterns: (p) => ({ answer: p.update('Form', { changes: ['answers'] }) }),
  })
}
