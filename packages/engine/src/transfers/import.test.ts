import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keyOf, TransferEngine, type Answer } from './testing/transfer-engine.ts'

let db: TransferEngine

beforeEach(async () => {
  db = await TransferEngine.open()
  db.buckets.make('bucket')
})

afterEach(() => db.engine.close())

const twoLines = '{"Item":{"pk":{"S":"a"}}}\n{"Item":{"pk":{"S":"b"},"n":{"N":"1.50"}}}\n'

describe('ImportTable', () => {
  test('makes the table and brings in every object below a prefix', async () => {
    db.buckets.put('bucket', 'in/1', twoLines)
    db.buckets.put('bucket', 'in/2', '{"Item":{"pk":{"S":"c"}}}')
    db.buckets.put('bucket', 'elsewhere', '{"Item":{"pk":{"S":"d"}}}')
    const done = await db.import('music', { S3BucketSource: { S3Bucket: 'bucket', S3KeyPrefix: 'in/' } })
    expect(done).toMatchObject({
      ImportStatus: 'COMPLETED',
      ErrorCount: 0,
      ProcessedItemCount: 3,
      ImportedItemCount: 3,
      ProcessedSizeBytes: twoLines.length + 25,
    })
    expect([...(await db.items('music')).values()]).toEqual(
      expect.arrayContaining([{ pk: { S: 'a' } }, { pk: { S: 'b' }, n: { N: '1.5' } }, { pk: { S: 'c' } }]),
    )
    expect(await db.run('DescribeTable', { TableName: 'music' })).toMatchObject({
      Table: { TableStatus: 'ACTIVE', ItemCount: 3, TableSizeBytes: 13 },
    })
  })

  test('reads items that stand on one line, as the service does', async () => {
    db.buckets.put('bucket', 'in', `${twoLines}{"Item": {"pk":{"S":"}{"}}}{"Item":{"pk":{"S":"d"}}} {"Item":{}}`)
    expect(await db.import('music', {})).toMatchObject({
      ErrorCount: 1,
      ProcessedItemCount: 5,
      ImportedItemCount: 4,
    })
    expect([...(await db.items('music')).values()]).toContainEqual({ pk: { S: '}{' } })
  })

  test.each(['', 'none/'])('makes an empty table where no key begins with %j', async (S3KeyPrefix) => {
    const S3BucketSource = { S3Bucket: 'bucket', ...(S3KeyPrefix !== '' && { S3KeyPrefix }) }
    expect(await db.import('music', { S3BucketSource })).toMatchObject({
      ImportStatus: 'COMPLETED',
      ErrorCount: 0,
      ProcessedItemCount: 0,
      ImportedItemCount: 0,
      ProcessedSizeBytes: 0,
    })
    expect((await db.items('music')).size).toBe(0)
  })

  test('reads CSV: keys have their type, everything else is a string', async () => {
    db.buckets.put('bucket', 'songs.csv', 'pk,year,title\r\n7,1973,"Money, ""live"""\r\n8,,Time\r\n')
    const table = { TableName: 'songs', ...keyOf('pk', 'N'), BillingMode: 'PAY_PER_REQUEST' }
    const done = await db.import('songs', { InputFormat: 'CSV', TableCreationParameters: table })
    expect(done).toMatchObject({ ImportStatus: 'COMPLETED', ImportedItemCount: 2 })
    expect([...(await db.items('songs')).values()]).toEqual(
      expect.arrayContaining([
        { pk: { N: '7' }, year: { S: '1973' }, title: { S: 'Money, "live"' } },
        { pk: { N: '8' }, year: { S: '' }, title: { S: 'Time' } },
      ]),
    )
  })

  test('reads CSV with a header and a delimiter of its own', async () => {
    db.buckets.put('bucket', 'songs.csv', 'a|1\nb|2')
    await db.import('songs', {
      InputFormat: 'CSV',
      InputFormatOptions: { Csv: { Delimiter: '|', HeaderList: ['pk', 'n'] } },
    })
    expect([...(await db.items('songs')).values()]).toEqual(
      expect.arrayContaining([
        { pk: { S: 'a' }, n: { S: '1' } },
        { pk: { S: 'b' }, n: { S: '2' } },
      ]),
    )
  })

  test('leaves out bad rows, lists them in the bucket and keeps the rest', async () => {
    const rows = [
      '{"Item":{"pk":{"S":"good"}}}',
      '{"Item":{"other":{"S":"x"}}}',
      'no json',
      '',
      '{"Item":{"pk":{"N":"1"}}}',
      '{"Item":{"pk":{"S":"too many"},"n":{"N":"1","S":"1"}}}',
      '{"Item":{"pk":{"S":"fine"},"n":{"N":"1"}}}',
    ]
    db.buckets.put('bucket', 'in', rows.join('\n'))
    const done = await db.import('music', {})
    expect(done).toMatchObject({
      ImportStatus: 'FAILED',
      FailureCode: 'ItemValidationError',
      ErrorCount: 4,
      ProcessedItemCount: 6,
      ImportedItemCount: 2,
    })
    expect([...(await db.items('music')).keys()].toSorted()).toEqual(['{"S":"fine"}', '{"S":"good"}'])
    const id = String(done['ImportArn']).split('/').at(-1)
    const text = db.buckets.get('bucket', `hashrange-imports/${id}/error.txt`).toString()
    expect(text).toContain(
      'in, line 2: One or more parameter values were invalid: Missing the key pk in the item\nin, line 3: The line is not JSON',
    )
    expect(text).toContain('in, line 5: ')
    expect(text).toContain('in, line 6: ')
    const [first] = db.buckets.get('bucket', `hashrange-imports/${id}/error.json`).toString().split('\n')
    expect(JSON.parse(first ?? '')).toEqual({
      itemS3Pointer: { bucket: 'bucket', key: 'in', itemIndex: 1 },
      line: 2,
      importArn: done['ImportArn'],
      errorMessages: ['One or more parameter values were invalid: Missing the key pk in the item'],
    })
  })

  test('goes on with the next object after one that cannot be decompressed', async () => {
    db.buckets.put('bucket', '1', gzipSync(twoLines).subarray(0, 30))
    db.buckets.put('bucket', '2', gzipSync(twoLines))
    expect(await db.import('music', { InputCompressionType: 'GZIP' })).toMatchObject({
      ImportStatus: 'FAILED',
      ErrorCount: 1,
      ImportedItemCount: 2,
    })
  })

  test('keeps the last of items with the same key, and fills the indexes', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) =>
      JSON.stringify({
        Item: { pk: { S: `key ${n % 4_500}` }, kind: { S: n % 2 === 0 ? 'even' : 'odd' }, n: { N: `${n}` } },
      }),
    )
    db.buckets.put('bucket', 'in', rows.join('\n'))
    const TableCreationParameters = {
      TableName: 'indexed',
      AttributeDefinitions: ['pk', 'kind'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'kinds',
          KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }
    await db.import('indexed', { TableCreationParameters })
    const item = await db.run('GetItem', { TableName: 'indexed', Key: { pk: { S: 'key 7' } } })
    expect(item).toMatchObject({ Item: { n: { N: '4507' } } })
    expect(await db.run('DescribeTable', { TableName: 'indexed' })).toMatchObject({
      Table: { ItemCount: 4_500, GlobalSecondaryIndexes: [{ ItemCount: 4_500 }] },
    })
    const query = {
      TableName: 'indexed',
      IndexName: 'kinds',
      KeyConditionExpression: 'kind = :kind',
      ExpressionAttributeValues: { ':kind': { S: 'odd' } },
      Select: 'COUNT',
    }
    expect(await db.run('Query', query)).toMatchObject({ Count: 2_250 })
  })

  test('cannot be used, or imported into again, before it is complete', async () => {
    db.buckets.put('bucket', 'in', twoLines)
    const input = {
      ClientToken: 'token',
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      TableCreationParameters: { TableName: 'music', ...keyOf('pk'), BillingMode: 'PAY_PER_REQUEST' },
    }
    const started = (await db.run('ImportTable', input))['ImportTableDescription'] as Answer
    expect(started).toMatchObject({ ImportStatus: 'IN_PROGRESS' })
    await expect(db.put('music', { pk: { S: 'early' } })).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    })
    const again = (await db.run('ImportTable', input))['ImportTableDescription'] as Answer
    expect(again['ImportArn']).toBe(started['ImportArn'])
    await expect(db.run('ImportTable', { ...input, ClientToken: 'another' })).rejects.toThrow(
      'Table already exists: music',
    )
    const otherwise = await db.run('ImportTable', { ...input, InputCompressionType: 'GZIP' })
    expect(otherwise['ImportTableDescription']).toMatchObject({ ImportArn: started['ImportArn'] })
    const TableCreationParameters = { ...input.TableCreationParameters, TableName: 'other' }
    await expect(db.run('ImportTable', { ...input, TableCreationParameters })).rejects.toMatchObject({
      code: 'ImportConflictException',
    })
    const elsewhere = String(started['ImportArn']).replace('eu-west-1', 'us-east-1')
    await expect(db.run('DescribeImport', { ImportArn: elsewhere })).rejects.toMatchObject({
      code: 'ImportNotFoundException',
    })
    await expect(db.run('ListImports', { NextToken: '0'.repeat(112) })).rejects.toThrow(
      `Invalid Request: Provided nextToken is invalid: ${'0'.repeat(112)}`,
    )
    await db.engine.background.idle()
    await db.put('music', { pk: { S: 'late' } })
    expect((await db.run('ListImports', {}))['ImportSummaryList']).toHaveLength(1)
  })

  test('leaves no table behind if there is no bucket', async () => {
    const done = await db.import('music', { S3BucketSource: { S3Bucket: 'missing' } })
    expect(done).toMatchObject({ ImportStatus: 'FAILED', FailureCode: 'S3NoSuchBucket', ProcessedItemCount: 0 })
    await expect(db.run('DescribeTable', { TableName: 'music' })).rejects.toThrow('not found')
  })
})
