import { encodeBase64, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { typeOfKey, type SourceKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'

/** A cursor after all rows of a cursor's partition: the key need not exist for a Scan or a Query to continue after
 *  it. */
export function lastKey(table: TableDescription, keys: SourceKeys, cursor: Item): Item {
  const last: Record<string, AttributeValue> = {}
  for (const [name, value] of Object.entries(cursor)) {
    const isOfTable = table.KeySchema.some(({ AttributeName }) => AttributeName === name)
    const isSort = keys.sort.includes(name) || (isOfTable && !keys.partition.includes(name))
    setAttribute(last, name, isSort ? greatest[typeOfKey(table, name)] : value)
  }
  return last
}

/** As great as a sort key can be: 1,024 bytes, or the greatest number. */
const greatest: Readonly<Record<'S' | 'N' | 'B', AttributeValue>> = {
  S: { S: '\u{10ffff}'.repeat(256) },
  N: { N: '9.9999999999999999999999999999999999999E+125' },
  B: { B: encodeBase64(new Uint8Array(1024).fill(0xff)) },
}
