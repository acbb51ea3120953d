import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { build, buildFolder, needsJava } from '../../support/built-clients.ts'
import { run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'

const root = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a secret of this test' }

describeIf(needsJava, 'the AWS SDK for Java on a closed server', () => {
  const database = servedDatabase({ auth: { credentials: root } })
  const folder = buildFolder()
  let classes = ''
  beforeAll(async () => {
    const here = fileURLToPath(new URL('.', import.meta.url))
    const list = join(folder, 'classpath')
    await build('mvn', ['-B', '-q', 'dependency:build-classpath', `-Dmdep.outputFile=${list}`], here)
    const libraries = readFileSync(list, 'utf8').trim()
    await build('javac', ['-cp', libraries, '-d', folder, 'Closed.java'], here)
    classes = [folder, libraries].join(delimiter)
  })

  test('is let in with the right keys, and refused as on AWS', async () => {
    const given = [database.endpoint(), root.accessKeyId, root.secretAccessKey].join('\n')
    const { code, stdout, stderr } = await run('java', ['-cp', classes, 'Closed'], `${given}\n`)
    expect({ code, output: stdout + withoutNotices(stderr) }).toEqual({ code: 0, output: '' })
  })
})

/** The SDK says that nobody has told it where to log. */
function withoutNotices(text: string): string {
  return text.replaceAll(/^SLF4J.*\n/gm, '')
}
