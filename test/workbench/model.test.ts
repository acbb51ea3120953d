import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

describe('the model view', () => {
  const bench = useWorkbench({ examples: ['shop'], models: [join(examples, 'shop/shop.model.ts')] })

  test('shows the access patterns with their keys, cost and findings, and runs one from its row', async () => {
    const page = await bench.open('/model')
    const patterns = page.getByRole('table', { name: 'Access patterns' })
    const row = patterns.getByRole('row', { name: /^homePage/ })
    await row.waitFor()
    await expect.poll(() => row.textContent()).toContain('CUSTOMER#{customerId}')
    await expect.poll(() => row.textContent()).toContain('between')
    await expect.poll(() => row.textContent(), { timeout: 150_000 }).toMatch(/\$\d/)
    await bench.shoot(page, 'model-patterns')
    await row.getByRole('link', { name: 'Run homePage' }).click()
    await page.waitForURL(/\/query\/.*pattern=homePage/)
    await page.getByText('A customer and the five newest orders').waitFor()
  })

  // One page goes through all tabs: to open one for each would take longer than looking at it.
  test('shows entities, item collections, findings and cost, draws pictures, and exports every form', async () => {
    const page = await bench.open('/model?tab=entities')
    const go = (name: string | RegExp): Promise<void> => page.getByRole('tab', { name }).click()
    const order = page.getByRole('region', { name: 'Order', exact: true })
    await order.waitFor()
    await expect.poll(() => order.textContent()).toContain('STATUS#{status}#{statusShard}')
    await expect.poll(() => order.textContent()).toContain('while status is pending or processing')
    await bench.shoot(page, 'model-entities')

    // A pattern shows what it reads.
    await go('Item collections')
    const table = page.getByRole('region', { name: 'shop', exact: true })
    await table.waitFor()
    await table.getByRole('button', { name: 'ordersOfCustomer' }).focus()
    await expect
      .poll(() => table.locator('.model-member.is-lit').allTextContents())
      .toEqual([expect.stringContaining('Order') as string])
    await bench.shoot(page, 'model-collections')

    // Drawn to be printed, and saved as SVG and PNG.
    await page.getByRole('button', { name: 'Picture', exact: true }).click()
    await page.getByRole('img', { name: 'shop: item collections' }).waitFor()
    const save = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ])
      return readFile(await download.path())
    }
    expect((await save('PNG')).subarray(1, 4).toString()).toBe('PNG')
    await page.getByText('Entities (ER)').click()
    const svg = (await save('SVG')).toString()
    expect(svg).toMatch(/^<\?xml.*\n<svg.*Customer.*<\/svg>\n$/s)
    // On paper, there is nothing else.
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('heading', { name: 'Picture of the model' }).isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('img', { name: 'shop: entities' }).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    await bench.shoot(page, 'model-picture')
    await page.keyboard.press('Escape')

    await page.getByRole('tab', { name: /^Findings \d+/ }).click({ timeout: 150_000 })
    await bench.shoot(page, 'model-findings')
    await go('Cost')
    await page.getByRole('table', { name: 'Cost by pattern' }).waitFor()
    await expect.poll(() => page.getByText('per month').first().textContent()).toBeTruthy()
    await bench.shoot(page, 'model-cost')

    await go('Export')
    await page.getByRole('radio', { name: 'Terraform' }).check({ force: true })
    await page.getByText('aws_dynamodb_table').first().waitFor()
    await page.getByRole('radio', { name: 'NoSQL Workbench' }).check({ force: true })
    await page.getByText('"ModelName"').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('shop.nosql-workbench.json')
    await bench.shoot(page, 'model-export')
  })
})

describe('a model file that is edited', () => {
  const root = fileURLToPath(new URL('./screenshots/', import.meta.url))
  mkdirSync(root, { recursive: true })
  const folder = mkdtempSync(join(root, 'models-'))
  cpSync(join(examples, 'music/music.model.ts'), join(folder, 'music.model.ts'))
  const bench = useWorkbench({ models: [folder], editModels: true })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is loaded from the page, makes its tables, follows the editor, and says what is wrong', async () => {
    // A file that is being loaded anew has no answers just then, and the page asks again.
    bench.expectConsole(/503/)
    const page = await bench.open('/model')
    await page.getByText('No model is loaded').waitFor()
    await bench.shoot(page, 'model-empty')
    await page.getByRole('button', { name: 'Load' }).first().click()
    await page.getByRole('button', { name: 'music.model.ts' }).click()
    await page.getByRole('table', { name: 'Access patterns' }).waitFor()
    await page.getByRole('button', { name: /Create 1 table with samples/ }).click()
    await page
      .getByText(/Created .* with sample items/)
      .first()
      .waitFor()
    const { TableNames } = (await bench.server.execute('ListTables', {})) as { TableNames: string[] }
    expect(TableNames).toHaveLength(1)

    const source = await readFile(join(folder, 'music.model.ts'), 'utf8')
    const [, name = ''] = /\n {4}(\w+): p\./.exec(source) ?? []
    await writeFile(join(folder, 'music.model.ts'), source.replace(`    ${name}: p.`, '    renamedPattern: p.'))
    await page.getByRole('row', { name: /^renamedPattern/ }).waitFor()
    await writeFile(join(folder, 'music.model.ts'), `${source}\nthrow new Error('not like this')\n`)
    await page.getByText('not like this').first().waitFor()
    await page
      .getByRole('row', { name: /^renamedPattern/ })
      .first()
      .waitFor()
  })

  test('shows each finding where it belongs, and what to do about it', async () => {
    await writeFile(join(folder, 'hot.model.ts'), modelWithFindings)
    const page = await bench.open('/model')
    await page.getByRole('button', { name: 'Load' }).first().click()
    await page.getByRole('button', { name: 'hot.model.ts' }).click()
    await page.getByRole('button', { name: /^Model: / }).click()
    await page.getByRole('option', { name: /^hot/ }).click()
    const marks = page.getByRole('button', { name: 'Findings of everything' })
    await marks.waitFor({ timeout: 150_000 })
    await marks.click()
    await page.getByText('scan', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^Findings [1-9]/ }).click()
    await page.getByText('pattern everything').first().waitFor()
    await bench.shoot(page, 'model-findings-some')

    // Changed by hand, one sees what it does to the bill before it is saved.
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.getByText('Text', { exact: true }).click()
    const changes = page.getByRole('table', { name: 'Patterns that change' })
    const editor = page.getByRole('textbox', { name: 'Model file' })
    const write = async (text: string): Promise<void> => {
      await editor.click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText(text)
    }
    await editor.getByText('@hashrange/model').first().waitFor()
    await write(`${modelWithFindings}\nnonsense(`)
    await page.getByText('This is not a model yet').waitFor({ timeout: 150_000 })
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    const dearer = modelWithFindings.replace('rate: 4_000', 'rate: 16_000')
    await write(dearer)
    await changes.getByRole('row', { name: /^record/ }).waitFor({ timeout: 150_000 })
    await bench.shoot(page, 'model-file')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => readFile(join(folder, 'hot.model.ts'), 'utf8')).toBe(dearer)

    // As a form, which changes no more of the text than it says.
    await page.getByText('Form', { exact: true }).click()
    const parts = page.getByRole('navigation', { name: 'Parts of the file' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await parts.getByRole('button', { name: 'record', exact: true }).click()
    await page.getByLabel('Calls per second').fill('8000')
    await page.keyboard.press('Enter')
    // What is not saved is still there after a look at something else.
    await page.getByRole('tab', { name: 'Entities' }).click()
    await page.getByRole('tab', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Undo the last change' }).waitFor()
    await parts.getByRole('button', { name: 'Reading', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name of value' }).fill('celsius')
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'celsius is optional' }).check()
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await page.getByRole('button', { name: 'Add an index' }).click()
    await page.getByRole('textbox', { name: 'Index', exact: true }).fill('bySensor')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Partition key of Reading' }).fill('SENSOR#{sensor}')
    await page.getByRole('textbox', { name: 'Sort key of Reading' }).fill('{at}')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isEnabled(), { timeout: 150_000 }).toBe(true)
    await bench.shoot(page, 'model-form')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => readFile(join(folder, 'hot.model.ts'), 'utf8'))
      .toBe(
        dearer
          .replace('rate: 16_000', 'rate: 8000')
          .replace('value: s', 'celsius: s')
          .replace("' })\n", "' })\n  .index('bySensor', { pk: 'SENSOR#{sensor}', sk: '{at}' })\n"),
      )
  })

  test('a NoSQL Workbench file becomes a model file', async () => {
    await bench.server.execute('CreateTable', {
      TableName: 'films',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await bench.server.execute('PutItem', {
      TableName: 'films',
      Item: { pk: { S: 'FILM#1' }, title: { S: 'Dune' } },
    })
    const page = await bench.open('/model')
    await page.getByRole('button', { name: 'New model' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New model' })
    // A template, and a table, whose model the server writes.
    await dialog.getByLabel('Template', { exact: true }).last().selectOption('saas')
    await dialog.getByText("entity('Tenant'").first().waitFor()
    await dialog.getByText('Table', { exact: true }).first().click()
    await dialog.getByRole('combobox', { name: 'Table' }).selectOption('films')
    await dialog.getByText("entity('Film").first().waitFor()
    await dialog.getByText('File', { exact: true }).first().click()
    const document = {
      ModelName: 'Library',
      ModelMetadata: { AWSService: 'Amazon DynamoDB', Version: '3.0' },
      DataModel: [
        {
          TableName: 'Books',
          KeyAttributes: {
            PartitionKey: { AttributeName: 'PK', AttributeType: 'S' },
            SortKey: { AttributeName: 'SK', AttributeType: 'S' },
          },
          NonKeyAttributes: [{ AttributeName: 'title', AttributeType: 'S' }],
          TableFacets: [
            {
              FacetName: 'Book',
              KeyAttributeAlias: { PartitionKeyAlias: 'BOOK#id', SortKeyAlias: 'META' },
              TableData: [{ PK: { S: 'BOOK#1' }, SK: { S: 'META' }, title: { S: 'Dune' } }],
              NonKeyAttributes: ['title'],
              DataAccess: { MySql: {} },
            },
          ],
          GlobalSecondaryIndexes: [],
          DataAccess: { MySql: {} },
          BillingMode: 'PAY_PER_REQUEST',
        },
      ],
    }
    await page.locator('input[type=file]').setInputFiles({
      name: 'library.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(document)),
    })
    await page.getByRole('button', { name: 'Save and load' }).click()
    await page.getByText(/^Saved and loaded .*library\.model\.ts$/).waitFor()
    expect(await readFile(join(folder, 'library.model.ts'), 'utf8')).toContain("entity('Book'")
  })
})

const modelWithFindings = `import { entity, model, s } from '@hashrange/model'

const Reading = entity('Reading', { sensor: s.string(), at: s.iso(), value: s.number(), kind: s.enum('a', 'b') })
  .key({ pk: 'KIND#{kind}', sk: '{at}#{sensor}' })
  .volume({ items: 5_000_000 })

export const hot = model({
  name: 'hot',
  entities: { Reading },
  patterns: (p) => ({
    everything: p.scan({ traffic: { rate: 1 } }),
    record: p.put('Reading', { traffic: { rate: 4_000, peakRate: 9_000 } }),
  }),
})
`
