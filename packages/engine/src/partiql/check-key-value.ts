import { typeOf, validationException, type AttributeValue } from '@hashrange/core'
import type { Table } from '../catalog/table.ts'

/** Rejects a value that a key attribute cannot have, with the messages of statements. */
export function checkKeyValue(table: Table, name: string, value: AttributeValue): void {
  const type = typeOf(value)
  if (type !== 'S' && type !== 'N' && type !== 'B') {
    throw validationException(`Key value must be of type S, N, or B. Key name: ${name}, Key type: ${type}`)
  }
  checkKeyType(table, name, value)
  const empty = 'S' in value && value.S === '' ? 'string' : 'B' in value && value.B === '' ? 'binary' : undefined
  if (empty === undefined) return
  throw validationException(
    'One or more parameter values are not valid. ' +
      `The AttributeValue for a key attribute cannot contain an empty ${empty} value. Key: ${name}`,
  )
}

export function checkKeyType({ definition }: Table, name: string, value: AttributeValue): void {
  if (definition.attributeTypes[name] === typeOf(value)) return
  throw validationException(`Key attribute's data type should match its data type in table's schema: Key ${name}`)
}
