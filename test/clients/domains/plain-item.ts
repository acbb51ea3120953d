/** An item as an application sees it: plain values instead of typed attribute values. */
export type PlainItem = Record<string, unknown>
