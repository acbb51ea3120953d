import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { daxClient } from './dax-client.ts'

test('a client that was there before a restart writes as before', async () => {
  const TableName = 'Songs'
  const db = await open()
  await db.execute('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'Title', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'Title', AttributeType: 'S' }],
  })
  const before = await db.listen({ daxPort: 0 })
  const dax = daxClient(before.daxEndpoint)
  const itemOf = (title: string) => ({ Title: { S: title }, Plays: { N: '1' }, Genre: { S: '' } })
  const write = (title: string) => dax.putItem({ TableName, Item: itemOf(title) })
  await write('put')
  await before.close()

  // The same address, and nothing in memory.
  await db.listen({ daxPort: Number(new URL(before.daxEndpoint ?? '').port) })
  await write('put again')
  await dax.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: itemOf('batch') } }] } })
  await dax.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: itemOf('transaction') } }] })
  for (const title of ['put again', 'batch', 'transaction']) {
    expect((await dax.getItem({ TableName, Key: { Title: { S: title } } })).Item).toEqual(itemOf(title))
  }
  dax.shutdown()
  await db.close()
})
