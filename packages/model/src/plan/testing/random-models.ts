import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../../check/random.ts'
import { entity } from '../../model/entity.ts'
import { model, type AnyModel } from '../../model/model.ts'
import type { AttributeDefinition } from '../../schema/attribute.ts'
import { codecOf } from '../../schema/codec.ts'
import { s } from '../../schema/s.ts'

/** A model as data, so that it can be edited at random. */
export interface Draft {
  readonly attributes: Readonly<Record<string, DraftAttribute>>
  readonly sk: string
  readonly indexes: Readonly<Record<string, DraftIndex>>
  readonly guard: boolean
  readonly indexItem: boolean
  readonly version: boolean
  readonly discriminator: string
  readonly hasNotes: boolean
}

export interface DraftAttribute {
  readonly type: TypeName
  readonly need: 'required' | 'optional' | 'default'
  readonly storedName?: string
  /** What it was called in the table, and in the model before. */
  readonly was?: string
}

interface DraftIndex {
  readonly pk: string
  readonly sk: string
  readonly when?: Readonly<Record<string, string>>
}

interface Loose {
  optional(): Loose
  default(value: unknown): Loose
  as(name: string): Loose
  was(name: string): Loose
}

interface DraftType {
  readonly make: () => unknown
  readonly value: (random: Random) => unknown
  readonly fallback: unknown
}

const text = (random: Random): string => ['x', 'y', 'a#b', 'a'][random.below(4)] ?? ''

const types = {
  string: { make: () => s.string(), value: text, fallback: 'd' },
  enum: { make: () => s.enum('a', 'b'), value: (random) => (random.below(2) ? 'a' : 'b'), fallback: 'a' },
  int: { make: () => s.int(), value: (random) => random.below(100), fallback: 107 },
  number: { make: () => s.number(), value: (random) => random.below(100) / 4, fallback: 0.5 },
  small: { make: () => s.int().range(0, 9), value: (random) => random.below(10), fallback: 3 },
  boolean: { make: () => s.boolean(), value: (random) => random.below(2) === 0, fallback: true },
  second: {
    make: () => s.iso('second'),
    value: (random) => `2026-01-0${1 + random.below(9)}T00:00:00Z`,
    fallback: '2026-01-01T00:00:00Z',
  },
  day: { make: () => s.iso('day'), value: (random) => `2026-01-0${1 + random.below(9)}`, fallback: '2026-01-01' },
  list: { make: () => s.list(s.string()), value: (random) => [text(random)], fallback: [] },
  numbers: { make: () => s.list(s.int()), value: (random) => [random.below(9)], fallback: [] },
  map: { make: () => s.map({ x: s.string() }), value: (random) => ({ x: text(random) }), fallback: { x: 'd' } },
  wide: {
    make: () => s.map({ x: s.string(), y: s.int().optional() }),
    value: (random) => ({ x: text(random), ...(random.below(2) && { y: 1 }) }),
    fallback: { x: 'd' },
  },
  strict: {
    make: () => s.map({ x: s.string(), y: s.int() }),
    value: (random) => ({ x: text(random), y: 1 }),
    fallback: { x: 'd', y: 1 },
  },
  record: { make: () => s.record(s.int()), value: (random) => ({ [text(random)]: 1 }), fallback: {} },
} satisfies Record<string, DraftType>

export type TypeName = keyof typeof types
const typeNames = Object.keys(types) as TypeName[]
const typeOf = (name: TypeName): DraftType => types[name]

export const valueOf = (type: TypeName, random: Random): unknown => typeOf(type).value(random)
/** As text. No value that is drawn at random is one of them, but for lists and dates. */
export const fallbacks: readonly string[] = Object.values(types).map(({ fallback }) => JSON.stringify(fallback))
/** Whether a value of another type is one of this type as well. */
export function isOfType(type: TypeName, value: unknown): boolean {
  const codec = codecOf((typeOf(type).make() as { readonly definition: AttributeDefinition }).definition)
  try {
    const stored = codec.encode(value, type)
    return stored !== undefined && isDeepStrictEqual(codec.decode(stored, type), value)
  } catch {
    return false
  }
}
export const fallbackOf = (type: TypeName): unknown => typeOf(type).fallback

/** `id`, `n` and `state` are always there; others come and go. */
export const firstDraft: Draft = {
  attributes: {
    a: { type: 'string', need: 'required' },
    b: { type: 'int', need: 'optional' },
    c: { type: 'enum', need: 'default' },
  },
  sk: 'T#{id}',
  indexes: { byState: { pk: 'S#{state}', sk: '{n:05}' } },
  guard: false,
  indexItem: false,
  version: false,
  discriminator: 'entity',
  hasNotes: false,
}

/** The model of a draft; `before` is the draft that it names as its predecessor. */
export function modelOf(draft: Draft, before?: Draft): AnyModel {
  const attributes = Object.entries(draft.attributes).map(([name, { type, need, storedName, was }]) => {
    let made = typeOf(type).make() as Loose
    if (need === 'optional') made = made.optional()
    if (need === 'default') made = made.default(fallbackOf(type))
    if (storedName !== undefined) made = made.as(storedName)
    if (was !== undefined && before !== undefined) made = made.was(was)
    return [name, made]
  })
  let Thing = entity('Thing', {
    group: s.string(),
    id: s.string(),
    n: s.int(),
    state: s.enum('on', 'off'),
    ...(draft.version && { version: s.version() }),
    ...Object.fromEntries(attributes),
  }).key({
    pk: 'G#{group}',
    sk: draft.sk,
    ...(before !== undefined && before.sk !== draft.sk && { was: { sk: before.sk } }),
  } as never) as unknown as {
    index(name: string, key: object): typeof Thing
    unique(name: string): typeof Thing
    indexItem(name: string, key: object): typeof Thing
  }
  for (const [name, index] of Object.entries(draft.indexes)) {
    const old = before?.indexes[name]
    const isOther = old !== undefined && (old.pk !== index.pk || old.sk !== index.sk)
    Thing = Thing.index(name, { ...index, ...(isOther && { was: { pk: old.pk, sk: old.sk } }) })
  }
  if (draft.guard) Thing = Thing.unique('n')
  if (draft.indexItem) Thing = Thing.indexItem('byN', { pk: 'N#{n}', sk: 'T#{id}', include: ['state'] })
  const Note = entity('Note', { group: s.string(), id: s.string() }).key({ pk: 'G#{group}', sk: 'NOTE#{id}' })
  const isOther = before !== undefined && before.discriminator !== draft.discriminator
  return model({
    name: 'things',
    table: { discriminator: draft.discriminator, ...(isOther && { was: { discriminator: before.discriminator } }) },
    entities: { Thing, ...(draft.hasNotes && { Note }) },
    patterns: (p: { query(query: object): unknown; scan(): unknown }) => ({
      inGroup: p.query({ pk: 'G#{group}' }),
      everything: p.scan(),
      ...Object.fromEntries(
        Object.entries(draft.indexes).map(([name, { pk }]) => [name, p.query({ on: name, pk })]),
      ),
    }),
  } as never)
}

const pick = <T>(random: Random, of: readonly T[]): T => of[random.below(of.length)] as T

const edits: Readonly<Record<string, (draft: Draft, random: Random) => Draft>> = {
  add: (draft, random) =>
    withAttribute(draft, pick(random, ['d', 'e', 'f']), {
      type: pick(random, typeNames),
      need: pick(random, ['required', 'optional', 'default'] as const),
    }),
  remove: (draft, random) => {
    const { [pick(random, Object.keys(draft.attributes))]: _gone, ...attributes } = draft.attributes
    return { ...draft, attributes }
  },
  retype: (draft, random) => change(draft, random, (each) => ({ ...each, type: pick(random, typeNames) })),
  need: (draft, random) =>
    change(draft, random, (each) => ({
      ...each,
      need: pick(random, ['required', 'optional', 'default'] as const),
    })),
  rename: (draft, random) => {
    const name = pick(random, Object.keys(draft.attributes))
    const { [name]: old, ...attributes } = draft.attributes
    return old === undefined
      ? draft
      : withAttribute({ ...draft, attributes }, `${name}2`, { ...old, was: old.storedName ?? name })
  },
  renameOnDisk: (draft, random) => {
    const name = pick(random, Object.keys(draft.attributes))
    const old = draft.attributes[name]
    return old === undefined
      ? draft
      : withAttribute(draft, name, { ...old, storedName: `${name}_`, was: old.storedName ?? name })
  },
  sortKey: (draft, random) => ({
    ...draft,
    sk: pick(random, ['T#{id}', 'THING#{id}', 'T#{id}#X', 'AT#{id:lower}']),
  }),
  index: (draft, random) => ({
    ...draft,
    indexes: { ...draft.indexes, [pick(random, ['byState', 'other'])]: pick(random, indexKeys) },
  }),
  noIndex: (draft) => ({ ...draft, indexes: {} }),
  guard: (draft) => ({ ...draft, guard: !draft.guard }),
  indexItem: (draft) => ({ ...draft, indexItem: !draft.indexItem }),
  version: (draft) => ({ ...draft, version: !draft.version }),
  discriminator: (draft, random) => ({ ...draft, discriminator: pick(random, ['entity', 'kind']) }),
  notes: (draft) => ({ ...draft, hasNotes: !draft.hasNotes }),
}

const indexKeys: readonly DraftIndex[] = [
  { pk: 'S#{state}', sk: '{n:05}' },
  { pk: 'STATE#{state}', sk: '{n:05}' },
  { pk: 'S#{state}', sk: '{n:05:desc}' },
  { pk: 'S#{state}', sk: '{n:05}', when: { state: 'on' } },
  { pk: 'ALL', sk: '{id}' },
]

export const editNames = Object.keys(edits)

/** A draft after one edit. */
export function edited(draft: Draft, edit: string, random: Random): Draft {
  return edits[edit]?.(draft, random) ?? draft
}

function withAttribute(draft: Draft, name: string, attribute: DraftAttribute): Draft {
  return { ...draft, attributes: { ...draft.attributes, [name]: attribute } }
}

function change(draft: Draft, random: Random, to: (attribute: DraftAttribute) => DraftAttribute): Draft {
  const name = pick(random, Object.keys(draft.attributes))
  const old = draft.attributes[name]
  return old === undefined ? draft : withAttribute(draft, name, to(old))
}
