import type { Attributes } from './attribute.ts'

export type Simplify<T> = { [K in keyof T]: T[K] } & {}

type FlagsOf<A extends Attributes, K extends keyof A> = A[K]['$']['flags']

/** What a read returns. */
export type ItemOf<A extends Attributes> = Simplify<
  {
    -readonly [
      K in keyof A as 'virtual' extends FlagsOf<A, K> ? never : 'optional' extends FlagsOf<A, K> ? never : K
    ]: A[K]['$']['out']
  } & {
    -readonly [
      K in keyof A as 'virtual' extends FlagsOf<A, K> ? never : 'optional' extends FlagsOf<A, K> ? K : never
    ]?: A[K]['$']['out']
  }
>

/** Whether a writer may leave it out. */
type Spared<F> = 'optional' extends F ? true : 'default' extends F ? true : false
/** Whether a writer may not give it at all. */
type Derived<F> = 'virtual' extends F ? true : 'computed' extends F ? true : false

/** What a write takes. */
export type InputOf<A extends Attributes> = Simplify<
  {
    readonly [
      K in keyof A as Derived<FlagsOf<A, K>> extends true ? never : Spared<FlagsOf<A, K>> extends true ? never : K
    ]: A[K]['$']['in']
  } & {
    readonly [
      K in keyof A as Derived<FlagsOf<A, K>> extends true ? never : Spared<FlagsOf<A, K>> extends true ? K : never
    ]?: A[K]['$']['in'] | undefined
  }
>
