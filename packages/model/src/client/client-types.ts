import type { KeyInputOf, EntityTypes, EntityItem } from '../model/entity-types.ts'
import type { Holes } from '../keys/template-types.ts'
import type { AnyModel } from '../model/model.ts'
import type {
  AnyPattern,
  GetTypes,
  KeysTypes,
  LookupTypes,
  QueryTypes,
  TransactAction,
  TransactTypes,
  WriteTypes,
} from '../model/patterns.ts'
import type {
  ElementIn,
  Entities,
  InOf,
  ItemIn,
  KindsMatching,
  KindsUnder,
  QueryParameters,
} from '../model/pattern-types.ts'
import type { Tables } from '../model/table-config.ts'
import type { InputOf, Simplify } from '../schema/attribute-types.ts'
import type { Cost, Request } from './connection.ts'
import type { AnyKind, EntryOf, FieldName, FieldsIn, ItemsOf, Kind, Selected } from './kind-types.ts'
import type {
  AttributeChangesOf,
  ChangeFunction,
  ChangesOf,
  CheckChanges,
  CheckDeclared,
  PutInput,
} from './change-types.ts'
import type { ComparisonOn, ConditionOf, ConditionOption, WriteCondition } from './condition-types.ts'
import type { GetOptions } from './get-function.ts'
import type { QueryOptions } from './query-function.ts'
import type { TransactOptions } from './transactions/transact.ts'

/** What `connect` gives for a model. */
export type Client<M extends AnyModel> = {
  readonly [P in keyof M['$']['patterns']]: PatternFunction<
    M['$']['entities'],
    M['$']['tables'],
    M['$']['patterns'][P]
  >
} & {
  readonly [N in keyof M['$']['entities']]: EntityClient<M['$']['entities'][N]['$']>
} & {
  /** Writes that happen together or not at all. */
  readonly transact: TransactFunction<AllSteps<M['$']['entities']>>
  /** Independent writes in few requests. */
  readonly batchWrite: BatchWriteFunction<M['$']['entities']>
}

/** What a pattern's name is in the client. */
export type PatternFunction<Es extends Entities, T extends Tables, P extends AnyPattern> = {
  readonly query: QueryPatternFunction<Es, T, P['$']['types']>
  readonly scan: QueryPatternFunction<Es, T, P['$']['types']> extends QueryFunction<infer Parameters, infer Kinds>
    ? ScanFunction<Parameters, Kinds>
    : never
  readonly get: P['$']['types'] extends GetTypes<infer N extends keyof Es & string>
    ? GetFunction<KeyInputOf<Es[N]['$']>, EntityItem<Es[N]['$']>>
    : never
  readonly lookup: P['$']['types'] extends LookupTypes<infer N extends keyof Es & string, infer S>
    ? GetFunction<LookupInput<Es, N, S>, EntityItem<Es[N]['$']>>
    : never
  readonly batchGet: KeysPatternFunction<Es, P['$']['types']>
  readonly transactGet: KeysPatternFunction<Es, P['$']['types']>
  readonly create: WritePatternFunction<Es, P['$']['types'], 'create'>
  readonly put: WritePatternFunction<Es, P['$']['types'], 'put'>
  readonly update: UpdatePatternFunction<Es, P['$']['types']>
  readonly modify: WritePatternFunction<Es, P['$']['types'], 'modify'>
  readonly upsert: WritePatternFunction<Es, P['$']['types'], 'upsert'>
  readonly delete: WritePatternFunction<Es, P['$']['types'], 'delete'>
  readonly transact: P['$']['types'] extends TransactTypes<infer S> ? TransactFunction<NamedSteps<Es, S>> : never
}[P['$']['kind']]

type QueryPatternFunction<Es extends Entities, T extends Tables, Types> =
  Types extends QueryTypes<infer Place, infer P, infer Sort, infer R, infer F, infer N>
    ? QueryFunction<
        WithComparisons<
          QueryParameters<Es, KindsMatching<Es, Place, KindsUnder<Es, Place, P>, Sort>, P, Sort, R, F>,
          F
        >,
        // Spelt out here, because an editor would show the arguments of a named type: the whole model.
        { [K in N]: ItemIn<Es, T, K, Place> extends infer I ? Kind<K, FieldsIn<I>[keyof I]> : never }[N]
      >
    : never

/** What is filtered by may be compared in other ways than for equality. */
type WithComparisons<Parameters, F> = [F] extends [never]
  ? Parameters
  : Simplify<{
      [K in keyof Parameters]: K extends F
        ? Parameters[K] | ComparisonOn<Parameters[K], Parameters[K]>
        : Parameters[K]
    }>

type KeysPatternFunction<Es extends Entities, Types> =
  Types extends KeysTypes<infer N extends keyof Es & string> ? KeysFunction<KeysOf<Es, N>, FoundOf<Es, N>> : never

type UpdatePatternFunction<Es extends Entities, Types> =
  Types extends WriteTypes<infer N extends keyof Es & string, infer C> ? UpdateFunction<Es[N]['$'], C> : never

type WritePatternFunction<Es extends Entities, Types, Action extends keyof EntityClient<EntityTypes>> =
  Types extends WriteTypes<infer N extends keyof Es & string, string> ? EntityClient<Es[N]['$']>[Action] : never

type KeysOf<Es extends Entities, N extends keyof Es & string> = {
  readonly [E in N]: readonly KeyInputOf<Es[E]['$']>[]
}

/** In the order of the keys; undefined where there is no such item. */
type FoundOf<Es extends Entities, N extends keyof Es & string> = {
  [E in N]: (EntityItem<Es[E]['$']> | undefined)[]
}

type LookupInput<
  Es extends Entities,
  N extends keyof Es & string,
  S extends string,
> = `${N}.${S}` extends infer Name
  ? Name extends keyof Es[N]['$']['satellites']
    ? Simplify<{ readonly [H in Holes<Es[N]['$']['satellites'][Name]['key']['pk']>]: ElementIn<InOf<Es, N, H>> }>
    : never
  : never

// ---- reads -------------------------------------------------------------------------------------------------------

/** Without parameters, the first argument can be left out. */
type Arguments<Parameters, Options> =
  Record<never, never> extends Parameters
    ? [parameters?: Parameters, options?: Options]
    : [parameters: Parameters, options?: Options]

export interface QueryFunction<Parameters, Kinds extends AnyKind> {
  /** One page. */
  <const S extends FieldName<Kinds> = never>(
    ...args: Arguments<Parameters, Selecting<S>>
  ): Promise<QueryPage<Selected<Kinds, S>>>
  /** Page after page. */
  pages<const S extends FieldName<Kinds> = never>(
    ...args: Arguments<Parameters, Selecting<S>>
  ): AsyncIterable<QueryPage<Selected<Kinds, S>>>
  /** Item after item, over all pages. */
  iterate<const S extends FieldName<Kinds> = never>(
    ...args: Arguments<Parameters, Selecting<S>>
  ): AsyncIterable<EntryOf<Selected<Kinds, S>>>
  /** The requests of the first page, exactly as they would be sent. */
  explain(...args: Arguments<Parameters, Selecting<FieldName<Kinds>>>): readonly Request[]
}

export interface Selecting<S extends string> extends QueryOptions {
  /** Only these attributes are sent back. What is read, and paid for, is the same. */
  readonly select?: readonly S[] | undefined
}

export interface ScanFunction<Parameters, Kinds extends AnyKind> extends QueryFunction<Parameters, Kinds> {
  /** Item after item, from so many segments at once, in no particular order. */
  parallel<const S extends FieldName<Kinds> = never>(
    segments: number,
    options?: Omit<Selecting<S>, 'cursor' | 'segment'>,
  ): AsyncIterable<EntryOf<Selected<Kinds, S>>>
}

export interface QueryPage<Kinds extends AnyKind> {
  /** By entity, each in order. */
  readonly items: ItemsOf<Kinds>
  /** All of them, in the order in which they were read. */
  readonly entries: readonly EntryOf<Kinds>[]
  /** For the next page; undefined after the last one. */
  readonly cursor: string | undefined
  readonly cost: Cost
}

export interface GetFunction<Key, Item> {
  <const S extends keyof Item & string = never>(
    key: Key,
    options?: GetOptions & { readonly select?: readonly S[] | undefined },
  ): Promise<{ readonly item: SelectedItem<Item, S> | undefined; readonly cost: Cost }>
  explain(key: Key, options?: GetOptions & { readonly select?: readonly (keyof Item)[] }): readonly Request[]
}

type SelectedItem<Item, S extends keyof Item> = [S] extends [never] ? Item : Simplify<Pick<Item, S>>

export interface KeysFunction<Keys, Items> {
  (keys: Keys, options?: GetOptions): Promise<{ readonly items: Items; readonly cost: Cost }>
  explain(keys: Keys, options?: GetOptions): readonly Request[]
}

// ---- writes ------------------------------------------------------------------------------------------------------

export interface EntityClient<E extends EntityTypes> {
  readonly get: GetFunction<KeyInputOf<E>, EntityItem<E>>
  /** Rejected if the item exists. */
  readonly create: WriteFunction<[item: InputOf<E['attributes']>], EntityItem<E>>
  /** Replaces the item if it exists. Of an entity with a version, `item.version` must be the one that was read. */
  readonly put: WriteFunction<[item: PutInput<E['attributes']>, options?: ConditionOption<E>], EntityItem<E>>
  /** Changes some attributes in one request, without a read. */
  readonly update: UpdateFunction<E>
  /** Reads the item, lets `change` produce another, and writes the difference unless someone else was faster; then it
   *  starts again. `change` may run several times. Returning undefined leaves the item as it is. */
  readonly modify: WriteFunction<
    [key: KeyInputOf<E>, change: ChangeFunction<E>, options?: ConditionOption<E>],
    EntityItem<E>
  >
  /** Creates the item, or sets these attributes of the one that exists. */
  readonly upsert: UpsertFunction<E>
  /** Removes the item if it exists, and returns it. */
  readonly delete: WriteFunction<[key: KeyInputOf<E>, options?: WriteCondition<E>], EntityItem<E> | undefined>
}

export interface WriteFunction<Args extends readonly unknown[], Item> {
  (...args: Args): Promise<{ readonly item: Item; readonly cost: Cost }>
  /** The requests it would send now. Reads where it depends on what is stored; writes nothing. */
  explain(...args: Args): Promise<readonly Request[]>
}

export interface UpdateFunction<E extends EntityTypes, Declared extends string = never> {
  <U extends ChangesOf<E>>(
    key: KeyInputOf<E>,
    changes: U & CheckChanges<E, U> & CheckDeclared<Declared, U>,
    options?: WriteCondition<E>,
  ): Promise<{ readonly item: EntityItem<E>; readonly cost: Cost }>
  explain<U extends ChangesOf<E>>(
    key: KeyInputOf<E>,
    changes: U & CheckChanges<E, U> & CheckDeclared<Declared, U>,
    options?: WriteCondition<E>,
  ): Promise<readonly Request[]>
}

export interface UpsertFunction<E extends EntityTypes> {
  (item: InputOf<E['attributes']>): Promise<{ readonly item: EntityItem<E>; readonly cost: Cost }>
  /** Changes the item, or creates it first with its defaults: `upsert({ day }, { views: add(1) })` in one request. */
  <U extends AttributeChangesOf<E>>(
    key: KeyInputOf<E>,
    changes: U & CheckChanges<E, U>,
  ): Promise<{ readonly item: EntityItem<E>; readonly cost: Cost }>
  explain(item: InputOf<E['attributes']>): Promise<readonly Request[]>
  explain<U extends AttributeChangesOf<E>>(
    key: KeyInputOf<E>,
    changes: U & CheckChanges<E, U>,
  ): Promise<readonly Request[]>
}

// ---- transactions ------------------------------------------------------------------------------------------------

declare const planned: unique symbol

/** A write that a transaction will carry out. */
export interface TransactStep {
  readonly [planned]: true
}

export interface TransactFunction<Steps> {
  (build: (t: Steps) => readonly TransactStep[], options?: TransactOptions): Promise<{ readonly cost: Cost }>
  explain(build: (t: Steps) => readonly TransactStep[], options?: TransactOptions): Promise<readonly Request[]>
}

export interface EntitySteps<E extends EntityTypes> {
  readonly create: (item: InputOf<E['attributes']>) => TransactStep
  readonly put: (item: PutInput<E['attributes']>, options?: ConditionOption<E>) => TransactStep
  readonly update: <U extends ChangesOf<E>>(
    key: KeyInputOf<E>,
    changes: U & CheckChanges<E, U>,
    options?: WriteCondition<E>,
  ) => TransactStep
  readonly modify: (key: KeyInputOf<E>, change: ChangeFunction<E>, options?: ConditionOption<E>) => TransactStep
  readonly upsert: {
    (item: InputOf<E['attributes']>): TransactStep
    <U extends AttributeChangesOf<E>>(key: KeyInputOf<E>, changes: U & CheckChanges<E, U>): TransactStep
  }
  readonly delete: (key: KeyInputOf<E>, options?: WriteCondition<E>) => TransactStep
  /** A condition on an item that the transaction does not write. */
  readonly check: (key: KeyInputOf<E>, condition: ConditionOf<E['attributes']>) => TransactStep
}

type AllSteps<Es extends Entities> = { readonly [N in keyof Es]: EntitySteps<Es[N]['$']> }

/** Only what the pattern declared: `'Order.create' | 'Line.create'`. */
type NamedSteps<Es extends Entities, S extends string> = Simplify<{
  readonly [N in S extends `${infer Name}.${string}` ? Name & keyof Es : never]: Pick<
    EntitySteps<Es[N]['$']>,
    S extends `${N & string}.${infer Action}` ? Action & TransactAction : never
  >
}>

export interface BatchWriteFunction<Es extends Entities> {
  (build: (b: BatchSteps<Es>) => readonly BatchStep[]): Promise<{ readonly cost: Cost }>
  explain(build: (b: BatchSteps<Es>) => readonly BatchStep[]): readonly Request[]
}

export interface BatchStep {
  readonly [planned]: 'batch'
}

type BatchSteps<Es extends Entities> = {
  readonly [N in keyof Es]: {
    readonly put: (item: InputOf<Es[N]['$']['attributes']>) => BatchStep
    readonly delete: (key: KeyInputOf<Es[N]['$']>) => BatchStep
  }
}
