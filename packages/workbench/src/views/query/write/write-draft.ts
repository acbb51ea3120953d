import type { AttributeType } from '@hashrange/core'
import { checkGroup, noFilter, valueTypes, type FilterGroup } from '../draft/draft.ts'

/** Changes of items as they are being built: text as it was typed. It stands in the URL, so every part of it can be anything. */
export interface WriteDraft {
  readonly rows: readonly WriteRow[]
  /** How several are sent. */
  readonly way: 'transaction' | 'batch'
  /** What a change by itself answers with. */
  readonly returns: string
}

export const rowKinds = ['put', 'update', 'delete', 'check'] as const
export type RowKind = (typeof rowKinds)[number]

export interface WriteRow {
  readonly kind: RowKind
  /** Of a put: the item as JSON. */
  readonly item: string
  readonly format: 'json' | 'dynamodb'
  /** Of the others: a value for each attribute of the key. */
  readonly key: readonly string[]
  /** Of an update. */
  readonly changes: readonly AttributeChange[]
  readonly condition: FilterGroup
}

export const changeActions = ['set', 'default', 'add', 'append', 'remove', 'delete'] as const
export type ChangeAction = (typeof changeActions)[number]

export interface AttributeChange {
  readonly action: ChangeAction
  readonly path: string
  readonly type: AttributeType
  readonly value: string
}

export const newChange: AttributeChange = { action: 'set', path: '', type: 'S', value: '' }

/** What an item begins as. Nothing is wrong with it until something is typed. */
export const emptyItem = '{\n  \n}'

export function newRow(kind: RowKind): WriteRow {
  return { kind, item: emptyItem, format: 'json', key: [], changes: [newChange], condition: noFilter }
}

export const emptyWrite: WriteDraft = { rows: [newRow('put')], way: 'transaction', returns: 'NONE' }

export const returnKinds = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const

const mostRows = 100

/** Turns the contents of a link into a draft. */
export function checkWrite(value: unknown): WriteDraft {
  const given = recordOf(value)
  const rows = listOf(given['rows']).slice(0, mostRows).map(checkRow)
  return {
    rows: rows.length === 0 ? emptyWrite.rows : rows,
    way: given['way'] === 'batch' ? 'batch' : 'transaction',
    returns: returnKinds.find((kind) => kind === given['returns']) ?? 'NONE',
  }
}

function checkRow(value: unknown): WriteRow {
  const given = recordOf(value)
  return {
    kind: rowKinds.find((kind) => kind === given['kind']) ?? 'put',
    item: textOrEmpty(given['item']),
    format: given['format'] === 'dynamodb' ? 'dynamodb' : 'json',
    key: listOf(given['key']).slice(0, 2).map(textOrEmpty),
    changes: listOf(given['changes']).slice(0, mostRows).map(checkChange),
    condition: checkGroup(given['condition'], 0),
  }
}

function checkChange(value: unknown): AttributeChange {
  const given = recordOf(value)
  return {
    action: changeActions.find((action) => action === given['action']) ?? 'set',
    path: textOrEmpty(given['path']),
    type: valueTypes.find((type) => type === given['type']) ?? 'S',
    value: textOrEmpty(given['value']),
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
