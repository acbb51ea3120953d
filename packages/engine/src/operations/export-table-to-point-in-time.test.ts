import { expect, test } from 'vitest'
import { openTestEngine, testScope } from '../testing/test-engine.ts'

test('an export of a table that is not there names what was asked for', async () => {
  const db = await openTestEngine()
  try {
    const TableArn = `arn:aws:dynamodb:${testScope.region}:${testScope.accountId}:table/nobody`
    const refusal = await db.refusal('ExportTableToPointInTime', { TableArn, S3Bucket: 'bucket' })
    expect(refusal).toMatchObject({ code: 'TableNotFoundException', message: `Table not found: ${TableArn}` })
  } finally {
    await db.close()
  }
})
