import { entity, model, now, s, ulid } from '@hashrange/model'

/** The document as it is now. Its version is checked with every write, so that nobody overwrites what they have not seen. */
const Document = entity('Document', {
  documentId: s.ulid().default(ulid),
  folderId: s.ulid(),
  title: s.string().size(30),
  body: s.string().size(2000, 100_000),
  editedBy: s.ulid(),
  editedAt: s.iso('second').onWrite(now),
  version: s.version(),
})
  .key({ pk: 'DOCUMENT#{documentId}', sk: 'CURRENT' })
  .index('inFolder', { pk: 'FOLDER#{folderId}', sk: '{title}' })
  .volume({ items: 500_000 })

/** The document as it once was, by its number. */
const Revision = entity('Revision', {
  documentId: s.ulid(),
  number: s.int().range(1, 999_999),
  title: s.string().size(30),
  body: s.string().size(2000, 100_000),
  editedBy: s.ulid(),
  savedAt: s.iso('second').default(now),
})
  .key({ pk: 'DOCUMENT#{documentId}', sk: 'REVISION#{number:06}' })
  .volume({ items: 5_000_000, perPartition: 10, maxPerPartition: 2000 })

const Comment = entity('Comment', {
  documentId: s.ulid(),
  at: s.iso().default(now),
  commentId: s.ulid().default(ulid),
  author: s.ulid(),
  text: s.string().size(100, 2000),
})
  .key({ pk: 'COMMENTS#{documentId}', sk: '{at}#{commentId}' })
  .volume({ items: 2_000_000, perPartition: 4, maxPerPartition: 500 })

export const documents = model({
  name: 'documents',
  owner: 'editor team',
  table: { pointInTimeRecovery: true, indexes: { inFolder: { projection: ['editedBy', 'editedAt'] } } },
  entities: { Document, Revision, Comment },
  patterns: (p) => ({
    getDocument: p.get('Document', { traffic: { rate: 200 } }),
    documentsInFolder: p.query({ on: 'inFolder', pk: 'FOLDER#{folderId}', limit: 100, traffic: { rate: 50 } }),
    revisions: p.query({
      description: 'The newest first',
      pk: 'DOCUMENT#{documentId}',
      sk: 'REVISION#*',
      order: 'desc',
      limit: 10,
      traffic: { rate: 5 },
    }),
    getRevision: p.get('Revision', { traffic: { rate: 2 } }),
    comments: p.query({ pk: 'COMMENTS#{documentId}', limit: 50, traffic: { rate: 40 } }),
    create: p.create('Document', { traffic: { rate: 1 } }),
    save: p.transact(
      { 'Document.put': 1, 'Revision.create': 1 },
      { description: 'What it was becomes a revision', traffic: { rate: 10 }, budget: { requests: 1 } },
    ),
    comment: p.create('Comment', { traffic: { rate: 2 } }),
  }),
})
