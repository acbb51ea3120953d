import type { Attributes } from '../schema/attribute.ts'
import type { Refused } from '../schema/refused.ts'

export type { Refused } from '../schema/refused.ts'

/** A key in the model file: a template, or the attributes of a native multi-attribute key. */
export type KeyText = string | readonly string[]

/** The attributes named in `'ORDER#{placedAt}#{n:04}'`: `'placedAt' | 'n'`. */
export type Holes<T> = T extends string
  ? T extends `${string}{${infer Hole}}${infer Rest}`
    ? HoleName<Hole> | Holes<Rest>
    : never
  : T extends readonly (infer Name extends string)[]
    ? Name
    : never

type HoleName<Hole extends string> = Hole extends `${infer Name}:${string}` ? Name : Hole

/** Those whose value can be read back from the key: not the ones that keep only the beginning of a date, or an image of a text. */
export type ExactHoles<T> = T extends string
  ? T extends `${string}{${infer Hole}}${infer Rest}`
    ? ExactHoleName<Hole> | ExactHoles<Rest>
    : never
  : T extends readonly (infer Name extends string)[]
    ? Name
    : never

type ExactHoleName<Hole extends string> =
  Hole extends `${string}:${Period | `${Period}:desc` | 'lower' | 'upper' | 'hash' | `bucket:${string}`}`
    ? never
    : HoleName<Hole>

type Period = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/** Those of which a key holds only the period: `{at:day}`. */
export type PeriodHoles<T> = T extends `${string}{${infer Hole}}${infer Rest}`
  ? (Hole extends `${infer Name}:${Period}` ? Name : never) | PeriodHoles<Rest>
  : never

/** `['region', 'status']` and `'{region}'` in one form. */
export type Joined<T> = T extends string
  ? T
  : T extends readonly [infer Only extends string]
    ? `{${Only}}`
    : T extends readonly [infer First extends string, ...infer Rest]
      ? `{${First}}+${Joined<Rest>}`
      : ''

/** The template without the names in its holes: two keys of one shape can be the same key. */
export type Shape<T> = T extends string ? ShapeOfText<T> : ShapeOfText<Joined<T>>

type ShapeOfText<T extends string> = T extends `${infer Literal}{${string}}${infer Rest}`
  ? `${Literal}{}${ShapeOfText<Rest>}`
  : T

/** `unknown` if all holes are attributes of the entity, otherwise a sentence. */
export type CheckTemplate<T, A extends Attributes> = [Exclude<Holes<T>, keyof A>] extends [never]
  ? unknown
  : Refused<`{${Exclude<Holes<T>, keyof A>}} is not an attribute of this entity: declare it, or correct the template`>

/** The hole that follows `Prefix` in `Template`: of which a range may be taken. */
export type NextHole<Template, Prefix extends string> = Template extends string
  ? NextHoleOfText<Template, Prefix>
  : NextHoleOfText<Joined<Template>, Prefix extends '' ? '' : `${Prefix}+`>

type NextHoleOfText<
  Template extends string,
  Prefix extends string,
> = Template extends `${infer Literal}{${infer Hole}}${infer Rest}`
  ? Prefix extends `${Literal}{${string}}${infer PrefixRest}`
    ? NextHoleOfText<Rest, PrefixRest>
    : Prefix extends Literal
      ? HoleName<Hole>
      : never
  : never
