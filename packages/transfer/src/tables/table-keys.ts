import type { DatabasePort } from './database-port.ts'

export interface TableKeys {
  readonly types: Readonly<Record<string, 'S' | 'N' | 'B'>>
  readonly names: readonly string[]
}

export async function tableKeys(port: DatabasePort, TableName: string): Promise<TableKeys> {
  const { Table } = await port.request('DescribeTable', { TableName })
  const { AttributeDefinitions, KeySchema } = Table as {
    AttributeDefinitions: readonly { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[]
    KeySchema: readonly { AttributeName: string }[]
  }
  return {
    types: Object.fromEntries(AttributeDefinitions.map((key) => [key.AttributeName, key.AttributeType])),
    names: KeySchema.map(({ AttributeName }) => AttributeName),
  }
}
