import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import { bothEdges, memberships, membershipsTable } from '../domains/memberships.ts'
import { describeOnSdk } from './describe-on-sdk.ts'

const { TableName } = membershipsTable

describeOnSdk('Users in groups', ({ sdk, plain }) => {
  beforeAll(async () => {
    await sdk().send(new CreateTableCommand(membershipsTable))
    for (const membership of memberships) {
      const puts = bothEdges(membership).map((Item) => ({ Put: { TableName, Item } }))
      await plain().transactWrite({ TransactItems: puts })
    }
  })

  const neighbours = async (pk: string, prefix: string): Promise<unknown[]> => {
    const { items } = await plain().query({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ProjectionExpression: 'sk, #role',
      ExpressionAttributeNames: { '#role': 'role' },
    })
    return items
  }

  test('a user lists its groups', async () => {
    expect(await neighbours('USER#user-1', 'GROUP#')).toEqual([
      { sk: 'GROUP#group-a', role: 'admin' },
      { sk: 'GROUP#group-b', role: 'member' },
    ])
  })

  test('a group lists its users', async () => {
    expect(await neighbours('GROUP#group-a', 'USER#')).toEqual([
      { sk: 'USER#user-1', role: 'admin' },
      { sk: 'USER#user-2', role: 'member' },
    ])
  })

  test('who leaves is gone in both directions', async () => {
    const keys = bothEdges(memberships[0]).map(({ pk, sk }) => ({ pk, sk }))
    await plain().transactWrite({ TransactItems: keys.map((Key) => ({ Delete: { TableName, Key } })) })
    expect(await neighbours('USER#user-1', 'GROUP#')).toEqual([{ sk: 'GROUP#group-b', role: 'member' }])
    expect(await neighbours('GROUP#group-a', 'USER#')).toEqual([{ sk: 'USER#user-2', role: 'member' }])
  })
})
