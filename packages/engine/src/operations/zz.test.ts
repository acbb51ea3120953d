import { expect, test } from 'vitest'
import { createTableInput, openTestEngine } from '../testing/test-engine.ts'
test('x', async () => {
  const db = await openTestEngine()
  await db.run('CreateTable', createTableInput('ttt', { hash: 'pk', range: 'sk' }))
  await db.run('PutItem', { TableName: 'ttt', Item: { pk: { S: 'a' }, sk: { S: 'zz' } } })
  for (const n of [1025, 1500, 2000, 5000, 100000]) for (const op of ['=', '<', '>=', '>']) {
    for (const ScanIndexForward of [true, false])
    try {
      const r = await db.run('Query', { TableName: 'ttt', ScanIndexForward, KeyConditionExpression: `pk = :a AND sk ${op} :b`, ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { S: 'y'.repeat(n) } } })
      console.log(n, op, ScanIndexForward, r.Count)
    } catch (e) { console.log(n, op, ScanIndexForward, String(e).slice(0, 200)) }
  }
  try { console.log(await db.run('Query', { TableName: 'ttt', KeyConditionExpression: `pk = :a`, ExpressionAttributeValues: { ':a': { S: 'a'.repeat(3000) } } })) } catch (e) { console.log(String(e)) }
  for (const [a, b] of [['b', 'a'], ['zz', 'zz']]) 
  try { console.log(await db.run('Query', { TableName: 'ttt', KeyConditionExpression: `pk = :a AND sk BETWEEN :b AND :c`, ExpressionAttributeValues: { ':a': { S: 'a' }, ':b': { S: b }, ':c': { S: a } } })) } catch (e) { console.log(String(e)) }
})
