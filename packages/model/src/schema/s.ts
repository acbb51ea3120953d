import type { DatePrecision } from '../description.ts'
import { ModelError } from '../errors.ts'
import type { AnyAttribute, AttributeDefinition } from './attribute.ts'
import { Attribute } from './attribute.ts'
import type { InputOf, ItemOf, Simplify } from './attribute-types.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { CheckStorable } from './storable-types.ts'

/** The types an attribute can have. */
export const s = {
  string: () => new Attribute<string, string>({ type: 'string', storedAs: 'S' }),
  /** A JavaScript number. One that was stored with more digits is rejected on read: see `decimal` and `bigint`. */
  number: () => new Attribute<number, number>({ type: 'number', storedAs: 'N' }),
  /** A whole number that JavaScript represents exactly. */
  int: () => new Attribute<number, number>({ type: 'int', storedAs: 'N' }),
  /** A whole number of up to 38 digits, read as a `bigint`. */
  bigint: () => new Attribute<bigint | number, bigint>({ type: 'int', storedAs: 'N', readAs: 'bigint' }),
  /** A number of up to 38 digits, read as text: `'1234567890.123456789'`. It sorts and adds as a number in the database. */
  decimal: () => new Attribute<string | number, string>({ type: 'number', storedAs: 'N', readAs: 'string' }),
  boolean: () => new Attribute<boolean, boolean>({ type: 'boolean', storedAs: 'BOOL' }),
  binary: () => new Attribute<Uint8Array, Uint8Array>({ type: 'binary', storedAs: 'B' }),
  /** A point in time, stored as an ISO 8601 string in UTC of one precision, so that it sorts. A `Date`, or a string with
   *  another offset, is accepted and converted. */
  iso: (precision: DatePrecision = 'millisecond') =>
    new Attribute<string | Date, string>({ type: 'iso', storedAs: 'S', precision }),
  /** As `iso`, but read as a `Date`. */
  date: (precision: DatePrecision = 'millisecond') =>
    new Attribute<string | Date, Date>({ type: 'iso', storedAs: 'S', precision, readAs: 'Date' }),
  /** 26 characters of Crockford's base 32, sorted by time; `s.ulid().default(ulid)` makes them. */
  ulid: () => new Attribute<string, string>({ type: 'ulid', storedAs: 'S' }),
  /** 36 characters; `s.uuid().default(uuid)` makes them. */
  uuid: () => new Attribute<string, string>({ type: 'uuid', storedAs: 'S' }),
  enum: <const Values extends readonly [string, ...string[]]>(...values: Values) =>
    new Attribute<Values[number], Values[number]>({ type: 'enum', storedAs: 'S', values }),
  list: <Element extends AnyAttribute>(element: Element) =>
    new Attribute<readonly Element['$']['in'][], Element['$']['out'][]>({
      type: 'list',
      storedAs: 'L',
      element: element.definition,
    }),
  /** An object with these fields. */
  map: <const Fields extends Readonly<Record<string, AnyAttribute>>>(fields: Fields) =>
    new Attribute<InputOf<Fields>, ItemOf<Fields>>({
      type: 'map',
      storedAs: 'M',
      fields: definitionsOf(fields),
    }),
  /** An object of one of several forms, told apart by `tag`: `s.union('kind', { card: { last4: s.string() }, bank: { iban: s.string() } })`
   *  takes and returns `{ kind: 'card', last4 }` or `{ kind: 'bank', iban }`. */
  union: unionAttribute,
  /** An object with any names, whose values are all of one type. */
  record: <Element extends AnyAttribute>(element: Element) =>
    new Attribute<Readonly<Record<string, Element['$']['in']>>, Record<string, Element['$']['out']>>({
      type: 'record',
      storedAs: 'M',
      element: element.definition,
    }),
  /** Strings, numbers or binaries, each once. An empty set is stored as no attribute at all, and read as an empty set. */
  set: <Element extends AnyAttribute>(element: Element) =>
    new Attribute<Iterable<Element['$']['in']>, Set<Element['$']['out']>>({
      type: 'set',
      storedAs: setTypeOf(element.definition),
      element: element.definition,
    }),
  /** When the item may be removed: seconds since 1970; a `Date` is accepted. The table's TTL attribute. */
  ttl: () => new Attribute<number | Date, number>({ type: 'ttl', storedAs: 'N' }),
  /** Counts the writes of the item, so that two writers notice each other. Kept by the library. */
  version: () =>
    new Attribute<number, number, 'version' | 'default'>({ type: 'version', storedAs: 'N', default: { value: 1 } }),
  /** A number from 0 to `count - 1` for a key that would be too busy in one partition: `'OPEN#{shard}'`.
   *  With `by`, the hash of that attribute: derived whenever needed and not stored. Without, drawn at random and stored. */
  shard: shardAttribute,
  /** Whatever DynamoDB can hold, typed as you say. */
  any: <T = unknown>(..._refused: unknown extends CheckStorable<T> ? [] : [CheckStorable<T>]) =>
    new Attribute<T, T>({ type: 'any', storedAs: 'ANY' }),
  /** Values of your own: `s.codec({ as: s.string(), encode: (money: Money) => money.text, decode: parseMoney })`. `as` says how
   *  they are stored, and so whether they can be part of keys; without it, they are stored as what `encode` returns. */
  codec: codecAttribute,
  /** Whatever this Standard Schema validator accepts; its output is stored. */
  schema: <In, Out>(validator: StandardSchema<In, Out> & CheckStorable<Out>) =>
    new Attribute<In, Out>({ type: 'any', storedAs: 'ANY', validator }),
} as const

function unionAttribute<
  const Tag extends string,
  const Of extends Readonly<Record<string, Readonly<Record<string, AnyAttribute>>>>,
>(
  tag: Tag,
  of: Of,
): Attribute<
  { [K in keyof Of]: Simplify<{ readonly [T in Tag]: K } & InputOf<Of[K]>> }[keyof Of],
  { [K in keyof Of]: Simplify<{ [T in Tag]: K } & ItemOf<Of[K]>> }[keyof Of]
> {
  const forms = Object.entries(of).map(([name, fields]) => [name, definitionsOf(fields)] as const)
  const optional = forms.flatMap(([, fields]) =>
    Object.entries(fields).map(([name, field]) => [name, { ...field, isOptional: true }] as const),
  )
  const tagDefinition: AttributeDefinition = { type: 'enum', storedAs: 'S', values: forms.map(([name]) => name) }
  return new Attribute({
    type: 'map',
    storedAs: 'M',
    fields: { [tag]: tagDefinition, ...Object.fromEntries(optional) },
    variants: { tag, of: Object.fromEntries(forms) },
  })
}

function definitionsOf(
  fields: Readonly<Record<string, AnyAttribute>>,
): Readonly<Record<string, AttributeDefinition>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.definition]))
}

function codecAttribute<Value, Stored = unknown>(own: {
  readonly encode: (value: Value) => Stored
  readonly decode: (stored: Stored) => Value
  readonly as?: {
    readonly $: { readonly in: Stored; readonly out: Stored }
    readonly definition: AttributeDefinition
  }
}): Attribute<Value, Value> {
  const { encode, decode, as } = own
  const base: AttributeDefinition = as?.definition ?? { type: 'any', storedAs: 'ANY' }
  if (base.codec !== undefined || base.default !== undefined || base.isOptional === true) {
    throw new ModelError(
      'INVALID_MODEL',
      'The type in `as` of a codec only says how values are stored. Call .optional() and .default() on the codec itself.',
    )
  }
  return new Attribute({ ...base, readAs: 'codec', codec: { encode, decode } })
}

interface ShardOptions {
  /** How many there were before, while items of the table still have such a shard. */
  readonly was?: number
}

function shardAttribute<const By extends string>(
  count: number,
  by: By,
  options?: ShardOptions,
): Attribute<number, number, 'shard' | 'virtual', By>
function shardAttribute(
  count: number,
  options?: ShardOptions,
): Attribute<number, number, 'shard' | 'default' | 'readOnly'>
function shardAttribute(count: number, given?: string | ShardOptions, more?: ShardOptions): unknown {
  const { was } = (typeof given === 'object' ? given : more) ?? {}
  const before = was === undefined || was === count ? {} : { shardsBefore: was }
  if (typeof given === 'string')
    return new Attribute({ type: 'shard', storedAs: 'N', shard: { count, by: given }, ...before })
  return new Attribute<number, number>({
    type: 'shard',
    storedAs: 'N',
    isReadOnly: true,
    shard: { count },
    ...before,
    default: { value: ({ random }: { random: () => number }) => Math.floor(random() * count) },
  })
}

function setTypeOf(element: AttributeDefinition): 'SS' | 'NS' | 'BS' {
  if (element.storedAs === 'S') return 'SS'
  if (element.storedAs === 'N') return 'NS'
  return 'BS'
}
