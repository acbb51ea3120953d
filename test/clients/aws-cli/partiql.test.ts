import { beforeAll, expect, test } from 'vitest'
import { needsAwsCli } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import { musicTable } from '../domains/music.ts'
import { awsCommand } from './aws-command.ts'

describeIf(needsAwsCli, 'PartiQL through the AWS command line', () => {
  const dynamodb = awsCommand(servedDatabase().endpoint)
  const execute = (statement: string, parameters?: readonly object[]) =>
    dynamodb('execute-statement', { statement, ...(parameters !== undefined && { parameters }) })

  beforeAll(async () => {
    await dynamodb('create-table', { 'cli-input-json': musicTable })
    await dynamodb('batch-execute-statement', {
      statements: ['Monogram', 'Sol'].map((title) => ({
        Statement: `INSERT INTO "Music" VALUE {'pk': 'Solar', 'sk': ?, 'plays': 0}`,
        Parameters: [{ S: title }],
      })),
    })
  })

  test('items are selected by their key, with parameters', async () => {
    expect(await execute('SELECT sk FROM "Music" WHERE pk = ? AND sk > ?', [{ S: 'Solar' }, { S: 'N' }])).toEqual({
      Items: [{ sk: { S: 'Sol' } }],
    })
  })

  test('the command pages by the tokens it was given', async () => {
    const statement = `SELECT sk FROM "Music" WHERE pk = 'Solar'`
    const first = await dynamodb('execute-statement', { statement, limit: '1' })
    expect(first).toMatchObject({ Items: [{ sk: { S: 'Monogram' } }] })
    const token = { 'next-token': String(first['NextToken']) }
    const second = await dynamodb('execute-statement', { statement, limit: '1', ...token })
    expect(second).toMatchObject({ Items: [{ sk: { S: 'Sol' } }] })
  })

  test('items are updated and deleted, and shown', async () => {
    const where = `WHERE pk = 'Solar' AND sk = 'Sol'`
    expect(await execute(`UPDATE "Music" SET plays = plays + 1 ${where} RETURNING MODIFIED NEW *`)).toEqual({
      Items: [{ plays: { N: '1' } }],
    })
    expect(await execute(`DELETE FROM "Music" ${where} AND plays = 1 RETURNING ALL OLD *`)).toEqual({
      Items: [{ pk: { S: 'Solar' }, sk: { S: 'Sol' }, plays: { N: '1' } }],
    })
  })

  test('a transaction that fails changes nothing', async () => {
    const transaction = dynamodb('execute-transaction', {
      'transact-statements': [
        { Statement: `DELETE FROM "Music" WHERE pk = 'Solar' AND sk = 'Monogram'` },
        { Statement: `UPDATE "Music" SET plays = 1 WHERE pk = 'Solar' AND sk = 'Nothing'` },
      ],
    })
    await expect(transaction).rejects.toThrow('[None, ConditionalCheckFailed]')
    expect(await execute(`SELECT plays FROM "Music" WHERE pk = 'Solar' AND sk = 'Monogram'`)).toEqual({
      Items: [{ plays: { N: '0' } }],
    })
  })

  test('a statement that is none ends the command with the service’s words', async () => {
    await expect(execute('SELECT FROM')).rejects.toThrow(
      "(ValidationException) when calling the ExecuteStatement operation: Statement wasn't well formed",
    )
  })
})
