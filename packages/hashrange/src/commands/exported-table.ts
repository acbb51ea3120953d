import type { TableBlueprint } from '@hashrange/transfer'
import { Mistake } from '../mistake.ts'
import type { ObjectPlace } from './open-place.ts'

/** The table of an export, if it says so. */
export async function exportedTable(
  { buckets, bucket, prefix }: ObjectPlace,
  tableName: string,
): Promise<TableBlueprint | undefined> {
  const objects = await buckets.list(bucket, prefix)
  const found = objects.filter(({ key }) => key.endsWith('/hashrange-table.json')).at(-1)
  if (found === undefined) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of buckets.read(bucket, found.key, 'NONE')) chunks.push(chunk)
  const blueprint = JSON.parse(Buffer.concat(chunks).toString()) as TableBlueprint
  return { ...blueprint, create: { ...blueprint.create, TableName: tableName } }
}

/** A table with the key in `--key`: `artist:S,year:N`. */
export function keyedTable(TableName: string, text: string): TableBlueprint {
  const keys = text.split(',').map((part) => /^(.+):([SNB])$/.exec(part))
  if (keys.length > 2 || keys.some((key) => key === null)) {
    throw new Mistake(`--key must be one or two names with their types, such as artist:S,year:N, not "${text}".`)
  }
  return {
    create: {
      TableName,
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key?.[1], AttributeType: key?.[2] })),
      KeySchema: keys.map((key, position) => ({
        AttributeName: key?.[1],
        KeyType: position === 0 ? 'HASH' : 'RANGE',
      })),
      BillingMode: 'PAY_PER_REQUEST',
    },
  }
}
