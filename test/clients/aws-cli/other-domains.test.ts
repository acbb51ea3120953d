import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { needsAwsCli } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import { leaderboardItems, leaderboardTable, ranked, season } from '../domains/leaderboard.ts'
import { bothEdges, memberships, membershipsTable } from '../domains/memberships.ts'
import {
  albumsAndArtist,
  artist,
  artistItems,
  externalIdItem,
  externalIds,
  musicTable,
  shardKeys,
  songItem,
  songKey,
  songs,
} from '../domains/music.ts'
import { accounts, paidOrder, paymentTables } from '../domains/payments.ts'
import type { PlainItem } from '../domains/plain-item.ts'
import { awsCommand, AwsCommandError } from './aws-command.ts'
import { typedItems } from './typed-items.ts'

describeIf(needsAwsCli, 'The AWS command line', () => {
  const dynamodb = awsCommand(servedDatabase().endpoint)

  const create = async (definition: { TableName: string }, items: readonly PlainItem[]): Promise<void> => {
    await dynamodb('create-table', { 'cli-input-json': definition })
    await dynamodb('wait table-exists', { 'table-name': definition.TableName })
    const puts = items.map((item) => ({ PutRequest: { Item: marshall(item) } }))
    await dynamodb('batch-write-item', { 'request-items': { [definition.TableName]: puts } })
  }

  const query = async (input: { ExpressionAttributeValues: PlainItem } & PlainItem): Promise<PlainItem[]> => {
    const typed = { ...input, ExpressionAttributeValues: marshall(input.ExpressionAttributeValues) }
    const answer = await dynamodb('query', { 'cli-input-json': typed })
    return typedItems(answer['Items']).map((item) => unmarshall(item))
  }

  describe('with a music catalogue', () => {
    const { TableName } = musicTable
    const song = { artist, title: 'Air Song', durationSeconds: 741 }
    const pointers = externalIds.map((external) => externalIdItem(external, song))

    beforeAll(() => create(musicTable, [...artistItems, ...songs.slice(0, 20).map(songItem)]))

    test('songs are gathered from their shards', async () => {
      const shards = await Promise.all(
        shardKeys.map((pk) =>
          query({ TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
        ),
      )
      const titles = shards.flat().map((item) => String(item['title']))
      expect(titles.toSorted()).toEqual(
        songs
          .slice(0, 20)
          .map(({ title }) => title)
          .toSorted(),
      )
    })

    test('albums and the artist come in one query, between two sort keys', async () => {
      const found = await query({
        TableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': artist, ':from': 'album#', ':to': 'artist' },
      })
      expect(found.map((item) => item['sk'])).toEqual(albumsAndArtist)
    })

    test('a transaction writes index items with their song, and reads them back', async () => {
      const items = [songItem(song), ...pointers].map((item) => marshall(item))
      await dynamodb('transact-write-items', {
        'transact-items': items.map((Item) => ({ Put: { TableName, Item } })),
      })
      const keys = [songKey(song), ...pointers.map(({ pk, sk }) => ({ pk, sk }))].map((key) => marshall(key))
      const read = await dynamodb('transact-get-items', {
        'transact-items': keys.map((Key) => ({ Get: { TableName, Key } })),
      })
      expect(read).toEqual({ Responses: items.map((Item) => ({ Item })) })
    })
  })

  test('ranks a leaderboard by padded ratings', async () => {
    await create(leaderboardTable, leaderboardItems())
    const top = await query({
      TableName: leaderboardTable.TableName,
      IndexName: 'seasons',
      KeyConditionExpression: 'season = :season',
      ExpressionAttributeValues: { ':season': `SEASON#${season}` },
      ScanIndexForward: false,
    })
    expect(top.map((player) => player['handle'])).toEqual(ranked)
  })

  test('reads memberships from both ends', async () => {
    await create(
      membershipsTable,
      memberships.flatMap(bothEdges).map((edge) => ({ ...edge })),
    )
    const neighbours = async (pk: string): Promise<unknown[]> => {
      const found = await query({
        TableName: membershipsTable.TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      })
      return found.map((edge) => edge['sk'])
    }
    expect(await neighbours('USER#user-1')).toEqual(['GROUP#group-a', 'GROUP#group-b'])
    expect(await neighbours('GROUP#group-a')).toEqual(['USER#user-1', 'USER#user-2'])
  })

  describe('with orders and payments', () => {
    beforeAll(async () => {
      await create(paymentTables.orders, [paidOrder])
      await create(
        paymentTables.accounts,
        accounts.map((account) => ({ ...account })),
      )
    })

    test('a failed condition ends the command with the service’s words', async () => {
      const again = dynamodb('put-item', {
        'table-name': 'orders',
        item: marshall(paidOrder),
        'condition-expression': 'attribute_not_exists(orderId)',
      })
      const error: unknown = await again.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(AwsCommandError)
      expect(String(error)).toContain(
        '(ConditionalCheckFailedException) when calling the PutItem operation: The conditional request failed',
      )
    })

    test('an order is moved on under a condition', async () => {
      const answer = await dynamodb('update-item', {
        'table-name': 'orders',
        key: marshall({ customerId: paidOrder.customerId, orderId: paidOrder.orderId }),
        'update-expression': 'SET #s = :new',
        'condition-expression': '#s = :old',
        'expression-attribute-names': { '#s': 'status' },
        'expression-attribute-values': marshall({ ':new': 'processing', ':old': 'pending' }),
        'return-values': 'UPDATED_NEW',
      })
      expect(answer).toEqual({ Attributes: { status: { S: 'processing' } } })
    })

    test('a cancelled transfer shows the reason for each part', async () => {
      const [payer, payee] = accounts.map(({ customerId }) => marshall({ customerId }))
      const transfer = dynamodb('transact-write-items', {
        'transact-items': [
          {
            Update: { ...change('balance - :amount', 1000), Key: payer, ConditionExpression: 'balance >= :amount' },
          },
          { Update: { ...change('balance + :amount', 1000), Key: payee } },
        ],
      })
      await expect(transfer).rejects.toThrow('[ConditionalCheckFailed, None]')
      const left = await dynamodb('scan', { 'table-name': 'accounts' })
      const balances = typedItems(left['Items']).map((item) => unmarshall(item))
      expect(balances).toEqual(expect.arrayContaining(accounts.map((account) => ({ ...account }))))
    })
  })
})

function change(value: string, amount: number): PlainItem {
  return {
    TableName: 'accounts',
    UpdateExpression: `SET balance = ${value}`,
    ExpressionAttributeValues: marshall({ ':amount': amount }),
  }
}
