import type { Item } from '@hashrange/core'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { keyOfItem } from '../items/check-schema.ts'
import type { Key } from '../store/store.ts'
import type { FaultPlace } from './finding.ts'

/** Text for people is truncated. */
const longestText = 300

export function placeOfTable({ accountId, region, tableName }: TableDefinition): FaultPlace {
  return { accountId, region, table: tableName }
}

/** The place of an entry of a table. If the key of its item can be read, it is named by that. */
export function placeOfEntry(definition: TableDefinition, storedKey: Key, item?: Item, index?: string): FaultPlace {
  return {
    ...placeOfTable(definition),
    ...(index !== undefined && { index }),
    ...(item !== undefined && { key: shortened(JSON.stringify(keyOfItem(definition.keySchema, item))) }),
    storedKey: hexOf(storedKey),
  }
}

export function placeOfKey(storedKey: Key): FaultPlace {
  return { storedKey: hexOf(storedKey) }
}

export function hexOf(key: Key): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('hex')
}

function shortened(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`
}

/** A place in one line, for people. */
export function placeText(place: FaultPlace): string {
  const { accountId, region, table, index, backup, key, storedKey, file } = place
  const parts: string[] = []
  if (file !== undefined) parts.push(file)
  if (table !== undefined)
    parts.push(`table ${table}${accountId === undefined ? '' : ` (${accountId}, ${region})`}`)
  if (index !== undefined) parts.push(`index ${index}`)
  if (backup !== undefined) parts.push(`backup ${backup}`)
  if (key !== undefined) parts.push(`key ${key}`)
  else if (storedKey !== undefined) parts.push(`stored key ${shortened(storedKey)}`)
  return parts.join(', ')
}
