/** A part of an attribute that can be changed or compared by itself: `address.city`, `history[0].what`. */
export interface Part<Path extends string, In, Optional extends boolean> {
  readonly path: Path
  readonly in: In
  readonly isOptional: Optional
}

/** Values that have no parts. A set is given as an iterable, which has no names either. */
type Whole = string | number | bigint | boolean | null | undefined | Date | Uint8Array

/** Deeper parts are changed with their parents, or by `modify`: types must end somewhere. */
type Deepest = 4

/** All parts of a value at `Path`. */
export type PartsOf<T, Path extends string, Depth extends readonly 0[] = []> = 0 extends 1 & T
  ? never
  : Depth['length'] extends Deepest
    ? never
    : T extends Whole
      ? never
      : T extends readonly (infer Element)[]
        ? Part<`${Path}[${number}]`, Element, true> | PartsOf<Element, `${Path}[${number}]`, readonly [...Depth, 0]>
        : T extends object
          ? {
              [K in keyof T & string]-?:
                | Part<
                    `${Path}.${K}`,
                    Exclude<T[K], undefined>,
                    Record<never, never> extends Pick<T, K> ? true : false
                  >
                | PartsOf<Exclude<T[K], undefined>, `${Path}.${K}`, readonly [...Depth, 0]>
            }[keyof T & string]
          : never

export type AnyPart = Part<string, unknown, boolean>
