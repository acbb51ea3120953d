import { fileURLToPath } from 'node:url'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programThat, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'

const needsDaxClient = programThat(
  'python3',
  ['-c', 'import boto3, amazondax'],
  'python3 has no amazon-dax-client. Run "pip install boto3 amazon-dax-client" in the Python that is first on the PATH.',
)

describeIf(needsDaxClient, 'the DAX client for Python', () => {
  let database: Database
  let input = ''

  beforeAll(async () => {
    database = await open()
    const { endpoint, daxEndpoint } = await database.listen({ daxPort: 0 })
    input = JSON.stringify({ endpoint, dax: daxEndpoint })
  })
  afterAll(() => database.close())

  test('runs to its end with dax.py', async () => {
    const path = fileURLToPath(new URL('./dax.py', import.meta.url))
    const { code, stdout, stderr } = await run('python3', [path], input)
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' })
  })
})
