import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { needsBoto3, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'

const root = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of this test' }

describeIf(needsBoto3, 'boto3 on a closed server', () => {
  const database = servedDatabase({ auth: { credentials: root } })

  test('makes identities, is let in as them, and is refused as on AWS', async () => {
    const path = fileURLToPath(new URL('./closed.py', import.meta.url))
    const { code, stdout, stderr } = await run(
      'python3',
      [path],
      JSON.stringify({ endpoint: database.endpoint(), root }),
    )
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' })
  })
})
