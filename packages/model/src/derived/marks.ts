import { entity } from '../model/entity.ts'
import type { Entity } from '../model/entity.ts'
import type { Attribute } from '../schema/attribute.ts'
import { s } from '../schema/s.ts'

/** The entity of the marks: for each source item one item that says which of its changes was counted last, and what it has
 *  contributed to which derived items. It is written in the same transaction as they are, so that a change that is delivered
 *  twice is counted once. Add it to the entities of the model.
 *
 *  `ttl` is the attribute by which the marks of deleted items expire: the same as that of other entities in the table. */
export function marks<const Name extends string = 'Mark', const Ttl extends string = 'expiresAt'>(
  name?: Name,
  { ttl }: { readonly ttl?: Ttl } = {},
): MarkEntity<Name, Ttl> {
  return entity(name ?? 'Mark', {
    source: s.string(),
    position: s.string(),
    epoch: s.int(),
    contributions: s.string(),
    [ttl ?? 'expiresAt']: s.ttl().optional(),
  })
    .key({ pk: 'MARK#{source}', sk: 'MARK' })
    .describe('What an item has contributed to derived items') as unknown as MarkEntity<Name, Ttl>
}

type MarkEntity<Name extends string, Ttl extends string> = Entity<
  Name,
  'main',
  {
    readonly source: Attribute<string, string>
    readonly position: Attribute<string, string>
    readonly epoch: Attribute<number, number>
    readonly contributions: Attribute<string, string>
  } & { readonly [T in Ttl]: Attribute<number | Date, number, 'optional'> },
  { readonly pk: 'MARK#{source}'; readonly sk: 'MARK' },
  Record<never, never>,
  Record<never, never>
>
