import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build, buildFolder, needsGo } from '../../support/built-clients.ts'
import { run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'

const root = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of this test' }

describeIf(needsGo, 'the AWS SDK for Go on a closed server', () => {
  const database = servedDatabase({ auth: { credentials: root } })
  const program = join(buildFolder(), 'closed')
  beforeAll(() => build('go', ['build', '-o', program, '.'], fileURLToPath(new URL('.', import.meta.url))))

  test('is let in with the right keys, and refused as on AWS', async () => {
    const { code, stdout, stderr } = await run(program, [], JSON.stringify({ endpoint: database.endpoint(), root }))
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: '' })
  })
})
