/** What is known of a request: the values of condition keys. Keys are asked for in lower case, because their case does not
 *  matter. A key with several values has a list, even of one. What nobody asks for need not be worked out. */
export interface ContextValues {
  get(key: string): ContextValue | undefined
}

export type ContextValue = string | readonly string[]

/** Values that are there already, under keys of any case. */
export function contextOf(values: Readonly<Record<string, ContextValue>>): ContextValues {
  return new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]))
}
