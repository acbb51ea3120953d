import { catalogKey } from '../layout/key-space.ts'
import type { Key, Value } from '../store/store.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import { withinQuotas } from './within-quotas.ts'

export function encodeDefinition(definition: TableDefinition): Value {
  return Buffer.from(JSON.stringify(definition))
}

export function parseDefinition(value: Value): TableDefinition {
  return withinQuotas(JSON.parse(value.toString('utf8')) as TableDefinition)
}

export function keyOfDefinition({ accountId, region, tableName }: TableDefinition): Key {
  return catalogKey(accountId, region, tableName)
}

/** The version of a table's definition, and where to find it. */
export interface TableVersion {
  readonly version: number
  readonly definitionKey: Key
}

/** Six bytes of the version, then the key of the definition. ON DISK. */
export function encodeTableVersion(definition: TableDefinition): Value {
  const version = Buffer.allocUnsafe(versionBytes)
  version.writeUIntBE(definition.version ?? 0, 0, versionBytes)
  return Buffer.concat([version, keyOfDefinition(definition)])
}

export function decodeTableVersion(value: Value): TableVersion {
  return { version: value.readUIntBE(0, versionBytes), definitionKey: value.subarray(versionBytes) }
}

const versionBytes = 6
