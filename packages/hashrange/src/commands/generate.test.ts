import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runModelCommand } from './run-model-command.ts'
import { formatNames } from './generate-formats.ts'
import { templateFolder } from './templates.ts'

const shop = join(templateFolder('shop'), 'shop.model.ts')
/** Its roles have policies. */
const saas = fileURLToPath(new URL('../../../../examples/tenants/tenants.model.ts', import.meta.url))

let folder: string
let told: string
let printed: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-generate-'))
  told = ''
  printed = ''
  vi.spyOn(console, 'log').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(console, 'error').mockImplementation((text: string) => void (told += `${text}\n`))
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => (printed += String(text)) !== '')
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const generate = (...words: string[]): Promise<number> => runModelCommand('generate', words)

describe('hashrange generate', () => {
  const beginnings: Readonly<Record<(typeof formatNames)[number], string>> = {
    cloudformation: 'AWSTemplateFormatVersion',
    cdk: 'export class ShopTables',
    terraform: 'resource "aws_dynamodb_table" "shop_main"',
    'create-table': '"TableName": "shop"',
    'nosql-workbench': '"ModelName": "shop"',
    'data-model': '"access_patterns"',
    markdown: '## Access patterns',
    'sample-data': '"PutRequest"',
    iam: 'dynamodb:LeadingKeys',
  }

  test.each(formatNames)('makes %s of a model file', async (format) => {
    expect(await generate(format === 'iam' ? saas : shop, '--to', format)).toBe(0)
    expect(printed).toContain(beginnings[format])
  })

  test('writes into a file, in the form its name says', async () => {
    const out = join(folder, 'template.json')
    expect(await generate(shop, '--to', 'cloudformation', '--out', out)).toBe(0)
    expect(JSON.parse(await readFile(out, 'utf8'))).toHaveProperty('Resources.MainTable')
    expect(printed).toBe('')
    expect(told).toBe(`Wrote ${out}\n`)
  })

  test('keeps what somebody added to a model of NoSQL Workbench', async () => {
    const out = join(folder, 'shop.json')
    await writeFile(out, '\uFEFF{ "Theme": "dark" }')
    expect(await generate(shop, '--to', 'nosql-workbench', '--out', out)).toBe(0)
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ Theme: 'dark', ModelName: 'shop' })
  })

  test.each(['nosql-workbench', 'data-model'])('makes a model file of %s', async (format) => {
    const [file, out] = [join(folder, 'shop.json'), join(folder, 'imported.model.ts')]
    expect(await generate(shop, '--to', format, '--out', file)).toBe(0)
    expect(await generate(file, '--from', format, '--out', out)).toBe(0)
    const source = await readFile(out, 'utf8')
    expect(await generate(file, '--from', format, '--out', out)).toBe(2)
    expect(told).toContain(`${out} already exists.`)
    expect(await generate(file, '--from', format, '--out', out, '--force')).toBe(0)
    expect(source).toContain(".key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })")
    expect(source).toContain(".unique('email')")
  })

  test('gives other samples for another seed', async () => {
    await generate(shop, '--to', 'sample-data', '--seed', '1')
    const first = printed
    printed = ''
    await generate(shop, '--to', 'sample-data', '--seed', '2')
    expect(printed).not.toBe(first)
  })

  test.each([
    [[], 'Name one file'],
    [[shop], 'Use --to to say what to generate'],
    [[shop, '--to', 'cdk', '--from', 'data-model'], 'Use --to to say what to generate'],
    [[shop, '--to', 'toml'], '--to must be one of cloudformation, cdk'],
    [[shop, '--from', 'nosql-workbench'], 'is not valid JSON'],
    [['nowhere.json', '--from', 'data-model'], 'nowhere.json cannot be read (no such file or directory).'],
    [
      [shop, '--to', 'markdown', '--out', '/nowhere/shop.md'],
      '/nowhere/shop.md cannot be written (no such file or directory).',
    ],
    [[shop, '--too', 'x'], 'There is no flag --too. Did you mean --to? See: hashrange generate --help'],
  ])('says what is wrong with %j', async (words, message) => {
    expect(await generate(...words)).toBe(2)
    expect(told).toContain(message)
  })
})
