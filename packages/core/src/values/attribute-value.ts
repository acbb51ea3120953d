/** An attribute value, in the service's own wire form. Numbers are canonical decimal strings and binary is canonical
 *  base64 once a value has passed `readAttributeValue`; nothing downstream validates again. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly M: Item }
  | { readonly L: readonly AttributeValue[] }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }

/** Attribute names are the client's choice (`__proto__` and `constructor` among them): read with `attributeOf`, write
 *  with `setAttribute`, never by plain indexing. */
export type Item = { readonly [name: string]: AttributeValue }

export type AttributeType = 'S' | 'N' | 'B' | 'SS' | 'NS' | 'BS' | 'M' | 'L' | 'BOOL' | 'NULL'

export type KeyAttributeType = 'S' | 'N' | 'B'

export function attributeOf(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined
}

/** Sets an attribute on an item that is still being built. */
export function setAttribute(item: Record<string, AttributeValue>, name: string, value: AttributeValue): void {
  if (name === '__proto__') {
    Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    item[name] = value
  }
}

/** The one member of a validated value: its type. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const type in value) return type as AttributeType
  throw new Error('an attribute value has exactly one member')
}
