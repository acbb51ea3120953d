import { ServiceError } from '@hashrange/core'
import { expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { StorageError } from '../store/storage-error.ts'
import { StoreAbove } from '../store/store-above.ts'
import type { Store } from '../store/store.ts'
import { openSharedTestStore } from '../testing/open-test-store.ts'
import { createTableInput, testScope } from '../testing/test-engine.ts'

/** A store in which others always come first, once it is told so. */
class ContendedStore extends StoreAbove {
  override readonly shared = true
  isContended = false

  override transact: Store['transact'] = (keys, decide) =>
    this.isContended
      ? Promise.reject(new StorageError('contended', 'Too many other writes are changing the same entries.'))
      : this.underneath.transact(keys, decide)
}

test('what others keep from happening for too long is a conflict in the service’s words', async () => {
  const store = new ContendedStore(await (await openSharedTestStore())())
  const engine = await Engine.open({ store })
  const execute = async (operation: string, input: object): Promise<unknown> =>
    engine.execute(testScope, 'DynamoDB_20120810', operation, input)
  const refusal = (operation: string, input: object): Promise<unknown> =>
    execute(operation, input).catch((error: unknown) => error)
  await engine.execute(testScope, 'DynamoDB_20120810', 'CreateTable', createTableInput('table', { hash: 'pk' }))
  store.isContended = true
  const TableName = 'table'
  expect(await refusal('PutItem', { TableName, Item: { pk: { S: 'a' } } })).toMatchObject({
    code: 'TransactionConflictException',
  })
  const put = (pk: string): object => ({ Put: { TableName, Item: { pk: { S: pk } } } })
  const cancelled = await refusal('TransactWriteItems', { TransactItems: [put('a'), put('b')] })
  expect(cancelled).toBeInstanceOf(ServiceError)
  expect(cancelled).toMatchObject({
    code: 'TransactionCanceledException',
    message:
      'Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, TransactionConflict]',
    members: {
      CancellationReasons: [
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
      ],
    },
  })
  store.isContended = false
  await engine.close()
})
