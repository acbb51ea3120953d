import { expect, test } from 'vitest'
import { createTableInput, openTestEngine } from '../testing/test-engine.ts'

test('an import has options of CSV for nothing but CSV', async () => {
  const db = await openTestEngine()
  try {
    const input = {
      S3BucketSource: { S3Bucket: 'bucket' },
      InputFormat: 'DYNAMODB_JSON',
      InputFormatOptions: { Csv: { Delimiter: ';' } },
      TableCreationParameters: createTableInput('music', { hash: 'pk' }),
    }
    expect(await db.refusal('ImportTable', input)).toMatchObject({
      code: 'ValidationException',
      message: 'Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.',
    })
    expect(await db.run('ListTables', {})).toEqual({ TableNames: [] })
  } finally {
    await db.close()
  }
})
