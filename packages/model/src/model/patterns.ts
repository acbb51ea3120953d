import type { BudgetDescription, PatternAction, TrafficDescription } from '../description.ts'
import type { KeyText } from '../keys/template-types.ts'
import type {
  CheckRange,
  CheckSort,
  Entities,
  KeyIn,
  KindsMatching,
  KindsUnder,
  PartitionIn,
  PlaceOf,
  SatelliteShortName,
} from './pattern-types.ts'

/** What every pattern may say of itself. */
export interface PatternOptions {
  readonly traffic?: TrafficDescription
  readonly budget?: BudgetDescription
  readonly owner?: string
  readonly description?: string
}

export interface ReadPatternOptions extends PatternOptions {
  /** Strongly consistent: sees every write that was acknowledged before. Not on a global index. */
  readonly consistent?: boolean
}

/** A named access pattern; what it is called stands in the model. */
export interface Pattern<Kind extends PatternAction, Types extends object> {
  /** Only for the type checker. */
  readonly $: { readonly kind: Kind; readonly types: Types }
  readonly definition: PatternDefinition
}

export interface AnyPattern {
  readonly $: { readonly kind: PatternAction; readonly types: object }
  readonly definition: PatternDefinition
}

// What the compiler keeps of a pattern: names alone, so that a declaration file does not repeat the entities in each.

export interface QueryTypes<Place, P, Sort, R extends string, F extends string, N extends string> {
  readonly place: Place
  readonly pk: P
  readonly sk: Sort
  readonly range: R
  readonly filter: F
  readonly entities: N
}

export interface GetTypes<N extends string> {
  readonly entity: N
}

export interface LookupTypes<N extends string, S extends string> {
  readonly entity: N
  readonly via: S
}

export interface KeysTypes<N extends string> {
  readonly entities: N
}

/** `C` are the attributes that it may change; never if it may change all. */
export interface WriteTypes<N extends string, C extends string = never> {
  readonly entity: N
  readonly changes: C
}

export interface TransactTypes<S extends string> {
  readonly steps: S
}

export interface QuerySpecification<Place, P, Sort, R, F, N> extends ReadPatternOptions {
  /** The index, or the table if there are several; the only table if left out. */
  readonly on?: Place
  /** The partition, as the model's keys write it. */
  readonly pk: P
  /** `'PROFILE'`: equal to; `'ORDER#*'`: begins with. Holes become parameters. */
  readonly sk?: Sort
  /** The hole after the prefix, of which callers may give `{ from, to }` or `{ begins }`. */
  readonly range?: R
  /** Literal bounds of the sort key, both included. */
  readonly between?: readonly [from: string, to: string]
  readonly order?: 'asc' | 'desc'
  readonly limit?: number
  /** Attributes that must equal a parameter of their name. Compared after the read: what it drops is paid for. */
  readonly filter?: readonly F[]
  /** Only these; others that the query meets are left out of the result. */
  readonly entities?: readonly N[]
}

/** Makes patterns: the `p` of `patterns: (p) => ({ … })`. */
export interface PatternMaker<Es extends Entities> {
  /** One item by its primary key. */
  get<const N extends keyof Es & string>(entity: N, options?: ReadPatternOptions): Pattern<'get', GetTypes<N>>

  /** The items of one partition, or of a part of it, in order. */
  query<
    const P extends PartitionIn<Es, Place>,
    const Place extends PlaceOf<Es> = 'main' & PlaceOf<Es>,
    const Sort extends KeyText | undefined = undefined,
    const R extends string = never,
    const F extends string = never,
    const N extends KindsMatching<Es, Place, KindsUnder<Es, Place, P>, Sort> & string = KindsMatching<
      Es,
      Place,
      KindsUnder<Es, Place, P>,
      Sort
    > &
      string,
  >(
    specification: QuerySpecification<
      Place,
      P,
      Sort & CheckSort<Es, Place, KindsUnder<Es, Place, P>, Sort>,
      R & CheckRange<Es, Place, KindsMatching<Es, Place, KindsUnder<Es, Place, P>, Sort>, P, Sort, R>,
      F & FilterNames<Es, KindsUnder<Es, Place, P>>,
      N
    >,
  ): Pattern<'query', QueryTypes<Place, P, Sort, R, F, N>>

  /** Everything in a table or an index. For exports and sparse indexes; the checker asks why. */
  scan<
    const Place extends PlaceOf<Es> = 'main' & PlaceOf<Es>,
    const N extends keyof Es & string = KindsIn<Es, Place>,
  >(
    specification?: ReadPatternOptions & {
      readonly on?: Place
      readonly limit?: number
      readonly entities?: readonly (N & KindsIn<Es, Place>)[]
    },
  ): Pattern<'scan', QueryTypes<Place, never, undefined, never, never, N>>

  /** Many items by their keys, in as few requests as there can be. */
  batchGet<const N extends keyof Es & string>(
    entities: N | readonly N[],
    options?: ReadPatternOptions,
  ): Pattern<'batchGet', KeysTypes<N>>

  /** Up to 100 items by their keys, as they were at one moment. */
  transactGet<const N extends keyof Es & string>(
    entities: N | readonly N[],
    options?: PatternOptions,
  ): Pattern<'transactGet', KeysTypes<N>>

  /** The owner of a guard or an index item: `p.lookup('Customer', 'email')`. Two requests. */
  lookup<const N extends keyof Es & string, const S extends SatelliteShortName<Es, N>>(
    entity: N,
    via: S,
    options?: ReadPatternOptions,
  ): Pattern<'lookup', LookupTypes<N, S>>

  create<const N extends keyof Es & string>(entity: N, options?: PatternOptions): Pattern<'create', WriteTypes<N>>
  put<const N extends keyof Es & string>(entity: N, options?: PatternOptions): Pattern<'put', WriteTypes<N>>
  upsert<const N extends keyof Es & string>(entity: N, options?: PatternOptions): Pattern<'upsert', WriteTypes<N>>
  delete<const N extends keyof Es & string>(entity: N, options?: PatternOptions): Pattern<'delete', WriteTypes<N>>
  /** `changes` are the attributes that it may change, and what it is measured and costed with. */
  update<const N extends keyof Es & string, const C extends keyof Es[N]['$']['attributes'] & string = never>(
    entity: N,
    options?: PatternOptions & { readonly changes?: readonly C[] },
  ): Pattern<'update', WriteTypes<N, C>>
  modify<const N extends keyof Es & string, const C extends keyof Es[N]['$']['attributes'] & string = never>(
    entity: N,
    options?: PatternOptions & { readonly changes?: readonly C[] },
  ): Pattern<'modify', WriteTypes<N, C>>

  /** Writes that happen together or not at all: `p.transact({ 'Order.create': 1, 'Line.create': 3 })`, with how many there
   *  typically are of each. */
  transact<const S extends `${keyof Es & string}.${TransactAction}`>(
    steps: Readonly<Record<S, number>>,
    options?: PatternOptions,
  ): Pattern<'transact', TransactTypes<S>>
}

export type TransactAction = 'create' | 'put' | 'update' | 'modify' | 'upsert' | 'delete' | 'check'

type KindsIn<Es extends Entities, Place> = {
  [N in keyof Es & string]: [KeyIn<Es, N, Place>] extends [never] ? never : N
}[keyof Es & string]

type FilterNames<Es extends Entities, Kinds> = Kinds extends keyof Es ? keyof Es[Kinds]['$']['attributes'] : never

export interface PatternDefinition {
  readonly action: PatternAction
  readonly entities: readonly string[]
  readonly options: ReadPatternOptions
  readonly query?: QuerySpecification<string, KeyText, KeyText | undefined, string, string, string>
  readonly scan?: { readonly on?: string; readonly limit?: number; readonly entities?: readonly string[] }
  readonly via?: string
  readonly changes?: readonly string[]
  readonly steps?: Readonly<Record<string, number>>
  readonly origin: Error
}
