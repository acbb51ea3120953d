import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needsBoto3, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'

describeIf(needsBoto3, 'boto3 with capacity.py', () => {
  const database = servedDatabase()

  test('runs to its end', async () => {
    const path = fileURLToPath(new URL('./capacity.py', import.meta.url))
    const { code, stdout, stderr } = await run('python3', [path], JSON.stringify({ endpoint: database.endpoint() }))
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' })
  })
})
