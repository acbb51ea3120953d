import type { Refused } from './refused.ts'

/** What would be read back as something else: `'a bigint'` or `'a Date'` where the type has one, never if it has none. */
type Unstorable<T, Depth extends readonly 1[] = []> = Depth['length'] extends 4
  ? never
  : 0 extends 1 & T
    ? never
    : T extends bigint
      ? 'a bigint'
      : T extends Date
        ? 'a Date'
        : T extends string | number | boolean | null | undefined | Uint8Array
          ? never
          : T extends readonly (infer Element)[] | ReadonlySet<infer Element>
            ? Unstorable<Element, [...Depth, 1]>
            : T extends object
              ? { [K in keyof T]-?: Unstorable<T[K], [...Depth, 1]> }[keyof T]
              : never

/** `unknown` if values of the type are read back as they were written, otherwise a sentence. */
export type CheckStorable<T> = [Unstorable<T>] extends [never]
  ? unknown
  : Refused<`This type has ${Unstorable<T>} in it, which would be read back as something else: use s.bigint(), s.date() or s.codec()`>
