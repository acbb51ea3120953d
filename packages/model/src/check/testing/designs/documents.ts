import { entity, model, now, s, ulid } from '../../../index.ts'

/** Documents with versions: the newest beside all others, written together, and drafts that many may edit. */
export const documents = () => {
  const Document = entity('Document', {
    documentId: s.ulid().default(ulid),
    author: s.ulid(),
    title: s.string().size(40),
    latest: s.int().range(1, 999_999).default(1),
    tags: s.set(s.string().size(8)).count(3, 20),
    updatedAt: s.date().default(now),
    version: s.version(),
  })
    .key({ pk: 'DOCUMENT#{documentId}', sk: 'DOCUMENT' })
    .index('byAuthor', { pk: 'AUTHOR#{author}', sk: '{updatedAt}' })
    .indexItem('tag', { pk: 'TAG#{tags}', sk: '{documentId}', each: 'tags', include: ['title'] })
    .volume({ items: 1_000_000 })
  const Version = entity('Version', {
    documentId: s.ulid(),
    n: s.int().range(1, 999_999),
    body: s.string().size(3_000, 60_000),
    savedAt: s.date().default(now),
  })
    .key({ pk: 'DOCUMENT#{documentId}', sk: 'V#{n:06:desc}' })
    .volume({ items: 20_000_000, perPartition: 20, maxPerPartition: 5_000 })
  const Draft = entity('Draft', {
    documentId: s.ulid(),
    userId: s.ulid(),
    body: s.any<{ blocks: string[] }>().size(500, 100_000),
  })
    .key({ pk: 'DRAFTS#{documentId}', sk: '{userId}' })
    .volume({ items: 2_000_000, perPartition: 2, maxPerPartition: 50 })
  return model({
    name: 'documents',
    owner: 'team',
    entities: { Document, Version, Draft },
    patterns: (p) => ({
      document: p.get('Document', { traffic: { rate: 200 } }),
      newest: p.query({ pk: 'DOCUMENT#{documentId}', sk: 'V#*', limit: 1, traffic: { rate: 200 } }),
      history: p.query({ pk: 'DOCUMENT#{documentId}', sk: 'V#*', range: 'n', limit: 20, traffic: { rate: 5 } }),
      oneVersion: p.get('Version', { traffic: { rate: 10 } }),
      save: p.transact({ 'Document.update': 1, 'Version.create': 1 }, { traffic: { rate: 10 } }),
      create: p.transact({ 'Document.create': 1, 'Version.create': 1 }, { traffic: { rate: 2 } }),
      tag: p.update('Document', { changes: ['tags'], traffic: { rate: 1 } }),
      tagged: p.query({ pk: 'TAG#{tags}', limit: 50, traffic: { rate: 5 } }),
      ofAuthor: p.query({ on: 'byAuthor', pk: 'AUTHOR#{author}', order: 'desc', limit: 20, traffic: { rate: 10 } }),
      draft: p.get('Draft', { traffic: { rate: 20 } }),
      saveDraft: p.upsert('Draft', { traffic: { rate: 20 } }),
    }),
  })
}
