import type { AttributeType } from '../values/attribute-value.ts'

/** The names that `IS` knows, and the types of attributes that they mean; some mean none that the service stores. */
const types: ReadonlyMap<string, readonly AttributeType[]> = new Map<string, readonly AttributeType[]>([
  ['null', ['NULL']],
  ['bool', ['BOOL']],
  ['boolean', ['BOOL']],
  ['smallint', ['N']],
  ['int', ['N']],
  ['int2', ['N']],
  ['int4', ['N']],
  ['int8', ['N']],
  ['integer', ['N']],
  ['bigint', ['N']],
  ['float', ['N']],
  ['real', ['N']],
  ['double precision', ['N']],
  ['dec', ['N']],
  ['decimal', ['N']],
  ['numeric', ['N']],
  ['char', ['S']],
  ['character', ['S']],
  ['character varying', ['S']],
  ['varchar', ['S']],
  ['string', ['S']],
  ['blob', ['B']],
  ['list', ['L']],
  ['struct', ['M']],
  ['tuple', ['M']],
  ['bag', ['SS', 'NS', 'BS']],
  ['timestamp', []],
  ['date', []],
  ['time', []],
  ['symbol', []],
  ['clob', []],
  ['sexp', []],
])

export function isTypeName(name: string): boolean {
  return name === 'missing' || types.has(name)
}

export function attributeTypesOf(name: string): readonly AttributeType[] {
  return types.get(name) ?? []
}
