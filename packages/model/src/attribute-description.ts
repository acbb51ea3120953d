/** The types a key attribute can have. */
export type ScalarType = 'S' | 'N' | 'B'
/** DynamoDB's name for how a value is stored; `ANY` is decided by the value. */
export type StoredType = ScalarType | 'BOOL' | 'L' | 'M' | 'SS' | 'NS' | 'BS' | 'ANY'

export type AttributeType =
  | 'string'
  | 'number'
  | 'int'
  | 'boolean'
  | 'binary'
  | 'iso'
  | 'ulid'
  | 'uuid'
  | 'enum'
  | 'list'
  /** Named fields, each with its own type: see `fields`. */
  | 'map'
  /** Any names, all values of one type: see `element`. */
  | 'record'
  | 'set'
  | 'ttl'
  | 'version'
  | 'shard'
  /** Whatever DynamoDB can hold. */
  | 'any'

/** What a value looks like, without the name and role it has in an item. */
export interface ValueDescription {
  readonly type: AttributeType
  readonly storedAs: StoredType
  /** Of an enum. */
  readonly values?: readonly string[]
  /** Of a list, a set or a record. */
  readonly element?: ValueDescription
  /** Of a map. */
  readonly fields?: readonly AttributeDescription[]
  /** Of a map of several forms: the field that tells them apart, and the other fields of each. `fields` has all of them. */
  readonly variants?: { readonly tag: string; readonly of: readonly VariantDescription[] }
  /** Of an `iso` date: the precision in which it is stored, always in UTC. */
  readonly precision?: DatePrecision
  /** What a reader gets, if that is not the usual JavaScript type of `type`. */
  readonly readAs?: ReadAs
  /** Of a `shard`: `by` is the attribute that is hashed; without it the shard is drawn at random. */
  readonly shard?: ShardDescription
  /** Bounds of a number, inclusive; a write outside of them is rejected. */
  readonly range?: { readonly min?: number; readonly max?: number }
  /** Declared bytes of a string or binary, for generated data and for cost. */
  readonly sizeBytes?: ExtentDescription
  /** Declared number of elements of a list, set or record. */
  readonly count?: ExtentDescription
  /** Declared number of different values. */
  readonly distinct?: number
  /** Whether a Standard Schema validator also has its say. */
  readonly isValidated?: boolean
}

export interface VariantDescription {
  /** The value of the tag. */
  readonly name: string
  readonly fields: readonly AttributeDescription[]
}

export interface AttributeDescription extends ValueDescription {
  readonly name: string
  /** What it is called in the table, if that is not `name`. */
  readonly storedName?: string
  /** While it is being renamed: all it may be called in the table, the older name first. */
  readonly readNames?: readonly string[]
  readonly isOptional: boolean
  readonly isReadOnly: boolean
  /** False for what is derived again whenever needed: a shard that is the hash of another attribute. */
  readonly isStored: boolean
  /** The default, if it is a plain value; `hasDefault` alone if it is a function. */
  readonly hasDefault: boolean
  readonly defaultValue?: unknown
  /** Set again by every write that changes the item. */
  readonly isSetOnWrite?: boolean
  /** The attributes from which this one is computed. */
  readonly computedFrom?: readonly string[]
  readonly description?: string
}

/** `Date` of an `iso` date, `bigint` of an `int`, `string` of a `number`; `codec`: whatever the model's own functions make. */
export type ReadAs = 'Date' | 'bigint' | 'string' | 'codec'

export type DatePrecision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond'

export interface ShardDescription {
  readonly count: number
  readonly by?: string
}

export interface ExtentDescription {
  readonly typical: number
  readonly max?: number
}

/** Declared by the author; absent where nothing is known. */
export interface VolumeDescription {
  /** Items of this entity in all. */
  readonly items?: number
  /** Items of this entity under one partition key, typically and at most; without a maximum it may grow without bound. */
  readonly perPartition?: number
  readonly maxPerPartition?: number
  /** Bytes of one item, if they are better known than the sum of the attributes'. */
  readonly itemBytes?: number
  readonly maxItemBytes?: number
}

// ---- keys ------------------------------------------------------------------------------------------------------

export interface KeyDescription {
  readonly partition: KeyTemplateDescription
  readonly sort?: KeyTemplateDescription
}

/** How the value of one key attribute is composed from the attributes of an item. */
export interface KeyTemplateDescription {
  /** The key attribute that contains it. */
  readonly attribute: string
  readonly storedAs: ScalarType
  /** As written in the model: `ORDER#{placedAt}#{orderId}`. */
  readonly text: string
  readonly parts: readonly KeyPartDescription[]
  /** True if the key attribute *is* an attribute of the entity (`{region}` in an attribute named `region`), so that it
   *  needs no separate copy, keeps its own type and cannot go stale. */
  readonly isNative: boolean
}

export type KeyPartDescription =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'hole'; readonly attribute: string; readonly format: KeyFormatDescription }

export type KeyFormatDescription =
  /** As it is. */
  | { readonly kind: 'plain' }
  /** `{rating:05}`, `{price:09.2}`, `{rating:05:desc}`: `width` counts all characters, the point included. A descending
   *  number is stored as the distance to the largest number of that width. */
  | {
      readonly kind: 'padded'
      readonly width: number
      readonly decimals: number
      readonly isDescending: boolean
      /** `{balance:+08}`: one character more, `0` or `-`. A negative number is stored as the distance to the lowest. */
      readonly isSigned?: boolean
    }
  /** `{placedAt:month}`: the beginning of an ISO date. `{placedAt:desc}`, `{placedAt:day:desc}`: each digit is stored as the
   *  distance to nine, so that the latest comes first. */
  | { readonly kind: 'date'; readonly precision: DatePrecision; readonly isDescending?: boolean }
  /** `{email:lower}`, `{code:upper}`. */
  | { readonly kind: 'case'; readonly to: 'lower' | 'upper' }
  /** `{url:hash}`: sixteen hexadecimal digits. */
  | { readonly kind: 'hash' }
  /** `{userId:bucket:16}`: a number from 0 to `count - 1`, always the same for the same value. */
  | { readonly kind: 'bucket'; readonly count: number }
