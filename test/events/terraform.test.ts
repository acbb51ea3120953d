import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { zipOf } from '@hashrange/templates'
import { ApiClient } from '../support/api-client.ts'
import { HashrangeProcess } from '../support/hashrange-process.ts'
import { describeIf, type Requirement } from '../support/requirement.ts'

/** A folder with the provider, as `terraform providers mirror` makes it. Nothing is downloaded. */
const mirror = process.env['HASHRANGE_TERRAFORM_MIRROR']

const needsTerraform: Requirement = {
  met: mirror !== undefined && existsSync(mirror),
  reason:
    'HASHRANGE_TERRAFORM_MIRROR does not name a folder with the AWS provider. Run "terraform providers mirror FOLDER" beside test/events/terraform/main.tf. The test takes half a minute of processor time.',
}

const main = fileURLToPath(new URL('terraform/main.tf', import.meta.url))

describeIf(needsTerraform, 'A Terraform configuration with tables, streams, functions and their mappings', () => {
  test('is applied unchanged, has nothing to change after that, and is destroyed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hashrange-terraform-'))
    const server = HashrangeProcess.start(['--memory', '--shared', '--port', '0', '--no-workbench'])
    onTestFinished(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const port = await server.ready()
    copyFileSync(main, join(folder, 'main.tf'))
    const text = `exports.handler = async ({ Records }) => { for (const record of Records) console.log('got', record.eventSource) }`
    writeFileSync(join(folder, 'on-order.zip'), zipOf([{ name: 'index.js', content: Buffer.from(text) }]))
    const config = join(folder, 'terraform.rc')
    writeFileSync(config, `provider_installation {\n  filesystem_mirror { path = ${JSON.stringify(mirror)} }\n}\n`)
    const env = {
      ...process.env,
      TF_CLI_CONFIG_FILE: config,
      CHECKPOINT_DISABLE: '1',
      TF_VAR_endpoint: `http://127.0.0.1:${port}`,
    }
    const terraform = (...words: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        execFile('terraform', [...words, '-no-color'], { cwd: folder, env }, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
        )
      })
    await terraform('init')
    expect(await terraform('apply', '-auto-approve')).toContain('7 added')
    const client = new ApiClient({ port, timeoutMs: 30_000 })
    await client.call('PutItem', { TableName: 'Orders', Item: { pk: { S: 'a' } } })
    client.close()
    await expect.poll(() => server.printed).toContain('on-order | got aws:dynamodb')
    await expect.poll(() => server.printed).toContain('on-order | got aws:kinesis')
    expect(await terraform('plan', '-detailed-exitcode')).toContain('No changes.')
    expect(await terraform('destroy', '-auto-approve')).toContain('7 destroyed')
  }, 600_000)
})
