import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../support/programs.ts'
import { describeIf, type Requirement } from '../../support/requirement.ts'
import { kinesis } from '../../system/kinesis-client.ts'
import { changes, prepare, TableName } from '../../system/kinesis-writers.ts'
import { ServerProcess } from '../../system/server-process.ts'

/** A folder with the library and all that it needs: mvn dependency:copy-dependencies makes one. */
const jars = process.env['HASHRANGE_KCL_JARS']

const needsKcl: Requirement = {
  met: jars !== undefined && spawnSync('javac', ['-version']).status === 0,
  reason:
    'needs Java, and HASHRANGE_KCL_JARS: a folder with amazon-kinesis-client 2.x and its dependencies (docs/testing.md)',
}

const count = 300

describeIf(needsKcl, 'The Kinesis Client Library', () => {
  const classes = mkdtempSync(join(tmpdir(), 'hashrange-kcl-'))
  let server: ServerProcess

  beforeAll(async () => {
    server = await ServerProcess.start(['--memory', '--shared', '--no-workbench'])
    await prepare(server)
  })

  afterAll(async () => {
    await server.kill()
    rmSync(classes, { recursive: true, force: true })
  })

  test('consumes the changes of a table across a split and a merge', async () => {
    const source = fileURLToPath(new URL('KclConsumer.java', import.meta.url))
    const compiled = await run('javac', ['-nowarn', '-cp', `${jars}/*`, '-d', classes, source], '', classes)
    expect(compiled.code, compiled.stderr).toBe(0)
    const words = ['-cp', `${classes}:${jars}/*`, 'KclConsumer', server.endpoint, changes, String(count), '160']
    const consuming = run('java', words, '', classes)
    for (let number = 0; number < count; number++) {
      const Item = { id: { S: `id${number % 20}` }, number: { N: String(number) } }
      await server.call('PutItem', { TableName, Item })
      if (number === 100) {
        await kinesis(server.endpoint, 'UpdateShardCount', {
          StreamName: changes,
          TargetShardCount: 2,
          ScalingType: 'UNIFORM_SCALING',
        })
      }
      if (number === 200) {
        await kinesis(server.endpoint, 'MergeShards', {
          StreamName: changes,
          ShardToMerge: 'shardId-000000000001',
          AdjacentShardToMerge: 'shardId-000000000002',
        })
      }
    }
    const { code, stdout, stderr } = await consuming
    expect(stdout, stderr).toContain(`SEEN ${count}`)
    expect(code).toBe(0)
  })
})
