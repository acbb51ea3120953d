import type { AttributeType, DatePrecision, ExtentDescription, ReadAs, StoredType } from '../description.ts'
import type { StandardSchema } from './standard-schema.ts'

/** What a default may use: time and randomness come from the caller of `connect`. */
export interface DefaultContext {
  readonly now: () => Date
  /** At least 0, below 1. */
  readonly random: () => number
}

export type AttributeFlag = 'optional' | 'default' | 'readOnly' | 'computed' | 'virtual' | 'shard' | 'version'

/** One attribute as the model file defines it. Immutable: each method returns a changed copy. */
export class Attribute<In, Out, Flags extends AttributeFlag = never, Sources extends string = never> {
  /** Only for the type checker. */
  declare readonly $: { readonly in: In; readonly out: Out; readonly flags: Flags; readonly sources: Sources }
  readonly definition: AttributeDefinition

  constructor(definition: AttributeDefinition) {
    this.definition = definition
  }

  /** An item may lack it. */
  optional(): Attribute<In, Out, Flags | 'optional', Sources> {
    return new Attribute({ ...this.definition, isOptional: true })
  }

  /** The value of an item that is written without it. A function is called for each item: `default(ulid)`. */
  default(value: In | ((context: DefaultContext) => In)): Attribute<In, Out, Flags | 'default', Sources> {
    return new Attribute({ ...this.definition, default: { value } })
  }

  /** Set again by every write that changes the item: `updatedAt: s.iso().onWrite(now)`. A create or an update may still pass a
   *  value. */
  onWrite(value: (context: DefaultContext) => In): Attribute<In, Out, Flags | 'default', Sources> {
    return new Attribute({ ...this.definition, onWrite: value })
  }

  /** What it is called in the table: `name: s.string().as('nm')`. For tables that exist, and for names that are too long to be
   *  stored in every item. */
  as(storedName: string): this {
    return this.#with({ storedName })
  }

  /** What it was called in the table before, while some items still call it so: `title: s.string().was('name')`. */
  was(nameBefore: string): this {
    return this.#with({ nameBefore })
  }

  /** Set when the item is created, never changed by an update. */
  readOnly(): Attribute<In, Out, Flags | 'readOnly', Sources> {
    return new Attribute({ ...this.definition, isReadOnly: true })
  }

  /** Values must also satisfy this validator (Zod, Valibot, ArkType, …); what it returns is what is stored. */
  check(schema: StandardSchema<In, unknown>): this {
    return this.#with({ validator: schema })
  }

  /** Bounds of a number, inclusive: writes outside of them are rejected, and key padding is checked against them. */
  range(min: number, max: number): this {
    return this.#with({ range: { min, max } })
  }

  /** How many bytes it takes, typically and at most: for generated data and for cost. Not enforced. */
  size(typical: number, max?: number): this {
    return this.#with({ sizeBytes: extent(typical, max) })
  }

  /** How many elements a list, set or record has, typically and at most. Not enforced. */
  count(typical: number, max?: number): this {
    return this.#with({ count: extent(typical, max) })
  }

  /** How many different values there are, so that the checker can judge a key made of it. */
  distinct(values: number): this {
    return this.#with({ distinct: values })
  }

  describe(description: string): this {
    return this.#with({ description })
  }

  #with(change: Partial<AttributeDefinition>): this {
    return new Attribute({ ...this.definition, ...change }) as this
  }
}

/** Any attribute, for constraints: only what the type checker must see. */
export interface AnyAttribute {
  readonly $: { readonly in: unknown; readonly out: unknown; readonly flags: string; readonly sources: string }
  readonly definition: AttributeDefinition
}

export type Attributes = Readonly<Record<string, AnyAttribute>>

export interface AttributeDefinition {
  readonly type: AttributeType
  readonly storedAs: StoredType
  readonly storedName?: string
  readonly nameBefore?: string
  readonly isOptional?: boolean
  readonly isReadOnly?: boolean
  readonly default?: { readonly value: unknown }
  readonly onWrite?: (context: DefaultContext) => unknown
  readonly computed?: ComputedDefinition
  readonly shard?: { readonly count: number; readonly by?: string }
  /** How many shards there were before, while some items still have the old one. */
  readonly shardsBefore?: number
  readonly values?: readonly string[]
  readonly element?: AttributeDefinition
  readonly fields?: Readonly<Record<string, AttributeDefinition>>
  /** Of a map of several forms: the fields of each, by the value of `tag`. */
  readonly variants?: {
    readonly tag: string
    readonly of: Readonly<Record<string, Readonly<Record<string, AttributeDefinition>>>>
  }
  readonly precision?: DatePrecision
  readonly readAs?: ReadAs
  readonly codec?: ValueCodec
  readonly range?: { readonly min: number; readonly max: number }
  readonly sizeBytes?: ExtentDescription
  readonly count?: ExtentDescription
  readonly distinct?: number
  readonly description?: string
  readonly validator?: StandardSchema<unknown, unknown>
}

/** The model's own conversion. Only what the base type can hold comes out of `encode` and goes into `decode`. */
export interface ValueCodec {
  readonly encode: (value: never) => unknown
  readonly decode: (stored: never) => unknown
}

export interface ComputedDefinition {
  readonly from: readonly string[]
  readonly compute: (item: never) => unknown
}

function extent(typical: number, max: number | undefined): ExtentDescription {
  return max === undefined ? { typical } : { typical, max }
}
