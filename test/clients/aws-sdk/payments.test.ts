import { randomUUID } from 'node:crypto'
import { ConditionalCheckFailedException, CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import { accounts, contention, paidOrder, paymentTables } from '../domains/payments.ts'
import { describeOnSdk } from './describe-on-sdk.ts'
import type { PlainClient } from './plain-client.ts'

const orders = paymentTables.orders.TableName
const accountsTable = paymentTables.accounts.TableName
const orderKey = { customerId: paidOrder.customerId, orderId: paidOrder.orderId }
const [payer, payee] = accounts.map(({ customerId }) => ({ customerId }))

describeOnSdk('Orders and payments', ({ sdk, plain }) => {
  beforeAll(async () => {
    for (const table of Object.values(paymentTables)) await sdk().send(new CreateTableCommand(table))
    for (const Item of accounts) await plain().put({ TableName: accountsTable, Item })
  })

  const balances = async (): Promise<unknown[]> => {
    const gets = [payer, payee].map((Key) => ({ Get: { TableName: accountsTable, Key } }))
    return (await plain().transactGet({ TransactItems: gets })).map((account) => account?.['balance'])
  }

  const transfer = (amount: number, token?: string): Promise<void> =>
    plain().transactWrite({
      ClientRequestToken: token,
      TransactItems: [
        {
          Update: {
            TableName: accountsTable,
            Key: payer,
            UpdateExpression: 'SET balance = balance - :amount',
            ConditionExpression: 'balance >= :amount',
            ExpressionAttributeValues: { ':amount': amount },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        {
          Update: {
            TableName: accountsTable,
            Key: payee,
            UpdateExpression: 'ADD balance :amount',
            ExpressionAttributeValues: { ':amount': amount },
          },
        },
      ],
    })

  test('an order is placed once', async () => {
    const place = { TableName: orders, Item: paidOrder, ConditionExpression: 'attribute_not_exists(orderId)' }
    await plain().put(place)
    await expect(plain().put(place)).rejects.toBeInstanceOf(ConditionalCheckFailedException)
    await expect(plain().put(place)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      $metadata: { httpStatusCode: 400 },
    })
  })

  test('an order that is pending is processed once', async () => {
    const process = {
      TableName: orders,
      Key: orderKey,
      UpdateExpression: 'SET #status = :processing',
      ConditionExpression: '#status = :pending',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':processing': 'processing', ':pending': 'pending' },
      ReturnValues: 'ALL_NEW' as const,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }
    expect(await plain().update(process)).toEqual({ ...paidOrder, status: 'processing' })
    await expect(plain().update(process)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: expect.objectContaining({ status: { S: 'processing' } }),
    })
  })

  test('a transfer moves money between accounts', async () => {
    await transfer(150)
    expect(await balances()).toEqual([100, 160])
  })

  test('a transfer that the balance does not cover is cancelled, and says which part and why', async () => {
    await expect(transfer(100.01)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed, None]',
      CancellationReasons: [
        {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          Item: { customerId: { S: payer?.customerId }, balance: { N: '100' } },
        },
        { Code: 'None' },
      ],
    })
    expect(await balances()).toEqual([100, 160])
  })

  test('a charge and its order are written in two tables or in neither', async () => {
    const charge = (amount: number, orderId: string): Promise<void> =>
      plain().transactWrite({
        TransactItems: [
          { Put: { TableName: orders, Item: { ...paidOrder, orderId, amount } } },
          {
            Update: {
              TableName: accountsTable,
              Key: payer,
              UpdateExpression: 'SET balance = balance - :amount',
              ConditionExpression: 'balance >= :amount',
              ExpressionAttributeValues: { ':amount': amount },
            },
          },
        ],
      })
    await charge(40, 'ord-790')
    await expect(charge(1000, 'ord-791')).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    expect(await balances()).toEqual([60, 160])
    expect(await plain().get({ TableName: orders, Key: { ...orderKey, orderId: 'ord-790' } })).toBeDefined()
    expect(await plain().get({ TableName: orders, Key: { ...orderKey, orderId: 'ord-791' } })).toBeUndefined()
  })

  test('a transfer that is sent twice with one token happens once', async () => {
    // A database remembers tokens for ten minutes, and this one may have been here before.
    const token = randomUUID()
    await transfer(10, token)
    await transfer(10, token)
    expect(await balances()).toEqual([50, 170])
    await expect(transfer(11, token)).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' })
  })

  test('optimistic locking loses no increment under contention', async () => {
    const Key = { customerId: 'contended' }
    await plain().put({ TableName: accountsTable, Item: { ...Key, balance: 0, version: 0 } })
    const workers = Array.from({ length: contention.workers }, () => incrementRepeatedly(plain(), Key))
    const conflicts = (await Promise.all(workers)).reduce((sum, count) => sum + count, 0)
    const total = contention.workers * contention.incrementsEach
    expect(await plain().get({ TableName: accountsTable, Key })).toEqual({ ...Key, balance: total, version: total })
    expect(conflicts).toBeGreaterThan(0)
  })
})

/** Reads, changes and writes back on the condition that nobody else did meanwhile; returns how often somebody had. */
async function incrementRepeatedly(client: PlainClient, Key: { customerId: string }): Promise<number> {
  let conflicts = 0
  for (let done = 0; done < contention.incrementsEach;) {
    const read = await client.get({ TableName: accountsTable, Key, ConsistentRead: true })
    const version = Number(read?.['version'])
    try {
      await client.put({
        TableName: accountsTable,
        Item: { ...Key, balance: Number(read?.['balance']) + 1, version: version + 1 },
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':read': version },
      })
      done += 1
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      conflicts += 1
    }
  }
  return conflicts
}
