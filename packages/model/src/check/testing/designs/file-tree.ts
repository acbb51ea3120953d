import { entity, model, now, s, ulid } from '../../../index.ts'

/** A file tree: nodes lie under their parent, so that listing a folder is one query and moving a node is one transaction. */
export const fileTree = () => {
  const Node = entity('Node', {
    drive: s.ulid(),
    parent: s.ulid(),
    nodeId: s.ulid().default(ulid),
    name: s.string().size(24).distinct(100_000),
    kind: s.enum('file', 'folder'),
    bytes: s.int().default(0),
    changedAt: s.iso().default(now),
    version: s.version(),
  })
    .key({ pk: 'DRIVE#{drive}', sk: 'NODE#{nodeId}' })
    .index('children', { pk: 'FOLDER#{drive}#{parent}', sk: '{kind}#{name}' })
    .index('recent', { pk: 'RECENT#{drive}', sk: '{changedAt}', when: { kind: 'file' } })
    .unique(['drive', 'parent', 'name'])
    .volume({ items: 100_000_000, perPartition: 500, maxPerPartition: 500_000 })
  const Share = entity('Share', {
    nodeId: s.ulid(),
    userId: s.ulid(),
    drive: s.ulid(),
    right: s.enum('read', 'write'),
  })
    .key({ pk: 'NODE#{nodeId}', sk: 'USER#{userId}' })
    .index('children', { pk: 'SHARED#{userId}', sk: '{nodeId}' })
    .volume({ items: 20_000_000, perPartition: 3, maxPerPartition: 1_000 })
  return model({
    name: 'file-tree',
    owner: 'team',
    entities: { Node, Share },
    patterns: (p) => ({
      node: p.get('Node', { traffic: { rate: 300 } }),
      children: p.query({ on: 'children', pk: 'FOLDER#{drive}#{parent}', limit: 200, traffic: { rate: 200 } }),
      byName: p.lookup('Node', 'drive+parent+name', { traffic: { rate: 100 } }),
      create: p.create('Node', { traffic: { rate: 20 } }),
      rename: p.update('Node', { changes: ['name'], traffic: { rate: 5 } }),
      move: p.modify('Node', { changes: ['parent'], traffic: { rate: 2 } }),
      write: p.modify('Node', { changes: ['bytes', 'changedAt'], traffic: { rate: 20 } }),
      remove: p.delete('Node', { traffic: { rate: 5 } }),
      recent: p.query({ on: 'recent', pk: 'RECENT#{drive}', order: 'desc', limit: 50, traffic: { rate: 50 } }),
      share: p.put('Share', { traffic: { rate: 2 } }),
      shares: p.query({ pk: 'NODE#{nodeId}', limit: 100, traffic: { rate: 10 } }),
      sharedWith: p.query({ on: 'children', pk: 'SHARED#{userId}', limit: 100, traffic: { rate: 20 } }),
    }),
  })
}
