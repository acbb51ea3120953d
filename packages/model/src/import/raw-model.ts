import type { BillingDescription, IndexDescription, KeyAttributeDescription, ScalarType } from '../description.ts'
import { ModelError } from '../errors.ts'

/** A model as other programs describe it: tables and data, whose entities are yet to be found. */
export interface RawModel {
  readonly name: string
  readonly description?: string
  readonly owner?: string
  readonly tables: readonly RawTable[]
  readonly patterns: readonly RawPattern[]
}

export interface RawTable {
  readonly name: string
  readonly partitionKey: KeyAttributeDescription
  readonly sortKey?: KeyAttributeDescription
  readonly indexes: readonly IndexDescription[]
  readonly billing: BillingDescription
  readonly stream?: 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
  readonly deletionProtection?: boolean
  readonly tableClass?: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  /** Attributes that are declared, with their stored type, whether or not an item has them. */
  readonly declared: ReadonlyMap<string, string>
  readonly groups: readonly RawGroup[]
}

/** Items that somebody has already put together; `name` is absent where nobody has. */
export interface RawGroup {
  readonly name?: string
  readonly partitionAlias?: string
  readonly sortAlias?: string
  readonly attributes: readonly string[]
  readonly items: readonly RawItem[]
}

/** An item in DynamoDB's JSON. */
export type RawItem = Readonly<Record<string, RawValue>>
export type RawValue = Readonly<Record<string, unknown>>

export interface RawPattern {
  readonly name: string
  readonly description?: string
  readonly table?: string
  readonly index?: string
  readonly operation?: string
  readonly implementation: string
}

type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function itemsOf(value: unknown): readonly RawItem[] {
  return listOf(value).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, each]) => [name, fieldsOf(each)])),
  )
}

export function scalarType(value: unknown): ScalarType {
  return value === 'N' || value === 'B' ? value : 'S'
}

/** Says what the file lacks, and where. */
export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new ModelError('INVALID_MODEL', `The file cannot be imported: ${what} is missing.`)
  return value
}
