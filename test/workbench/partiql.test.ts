import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { run } from '../support/programs.ts'
import { savedParquet } from './support/saved-parquet.ts'
import { useWorkbench } from './support/use-workbench.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Statements' })
const results = (page: Page) => page.getByRole('grid', { name: 'Results' })
const rowCount = async (page: Page): Promise<number> =>
  Number(await results(page).getAttribute('aria-rowcount')) - 1

const address = (statement: string, parameters: object[] = []): string =>
  `/partiql/music?${new URLSearchParams({ s: statement, p: JSON.stringify(parameters) }).toString()}`

describe('PartiQL', () => {
  const bench = useWorkbench({ examples: ['music', 'leaderboard'] })

  const anArtist = async (): Promise<string> => {
    const { Items } = await bench.server.execute('Scan', { TableName: 'music' })
    const found = (Items as Record<string, { S: string }>[]).find(
      (item) => item['pk']?.S.startsWith('artist#') === true,
    )
    return found?.['pk']?.S ?? ''
  }

  test('an example is taken, its parameter given, and it is run by key', async () => {
    const page = await bench.open('/partiql/music')
    await page.getByText('SQL for a key-value table').waitFor()
    await bench.shoot(page, 'partiql-empty')
    await page.getByRole('button', { name: 'SELECT * FROM "music" WHERE pk = ?', exact: true }).click()
    await page.getByText('SELECT by key').waitFor()
    await page.getByLabel('Parameter 1', { exact: true }).fill(await anArtist())
    await editor(page).press('Control+Enter')
    await results(page).waitFor()
    const count = await rowCount(page)
    expect(count).toBeGreaterThan(0)
    await bench.shoot(page, 'partiql')
    await savedParquet(page)
    const again = await bench.open(page.url().replace(/^.*_workbench/, ''))
    await results(again).waitFor()
    await expect.poll(() => rowCount(again)).toBe(count)
  })

  test('names and words are completed', async () => {
    const page = await bench.open('/partiql/music')
    await editor(page).click()
    await page.keyboard.type('SELECT * FROM ')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: /"leaderboard"/ }).waitFor()
    await bench.shoot(page, 'partiql-complete')
    await page.getByRole('option', { name: /^"music"table$/ }).click()
    await page.keyboard.type(' WHERE p')
    await page.getByRole('option', { name: /^pkpartition key$/ }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('its popups keep to the content policy, and typing a name asks for no table that is not there', async () => {
    const page = await bench.open('/partiql/music')
    const refused: string[] = []
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()))
    await page.evaluate(() => {
      const violations: string[] = Reflect.set(window, 'violations', []) ? Reflect.get(window, 'violations') : []
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))
    })
    await editor(page).click()
    await page.keyboard.type('SELECT * FROM leaderboard WHERE ')
    await page.keyboard.press('Control+Space')
    await page.getByRole('option').nth(2).hover()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await page.keyboard.type('= 1')
    // It comes when the pointer rests on what is marked.
    await expect
      .poll(
        async () => {
          const mark = await page.locator('.cm-lintRange-error').first().boundingBox()
          if (mark === null) return 0
          await page.mouse.move(mark.x + 60, mark.y + 60)
          await page.mouse.move(mark.x + mark.width / 2, mark.y + mark.height / 2, { steps: 5 })
          await page.waitForTimeout(1000)
          return page.locator('.cm-tooltip-lint').count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    await bench.shoot(page, 'partiql-popup')
    await editor(page).press('Control+f')
    await page.locator('.cm-search').waitFor()
    await page.keyboard.press('Escape')
    // Typing over what is selected, which Chromium would give a style of its own.
    await editor(page).press('Control+a')
    await page.keyboard.type('SELECT')
    await expect.poll(() => editor(page).innerText()).toBe('SELECT')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.type('(')
    await expect.poll(() => editor(page).innerText()).toBe('(SELECT)')
    expect(await page.evaluate(() => Reflect.get(window, 'violations') as unknown)).toEqual([])
    expect(refused).toEqual([])
  })

  test('Back goes from statement to statement, and runs them again', async () => {
    const artist = await anArtist()
    const page = await bench.open(address(`SELECT * FROM "music" WHERE pk = '${artist}'`))
    await page.getByRole('button', { name: /^Run/ }).click()
    await results(page).waitFor()
    const count = await rowCount(page)
    await editor(page).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(`SELECT * FROM "music" WHERE pk = 'nobody'`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('No item has this key').waitFor()
    await page.goBack()
    await expect.poll(() => editor(page).innerText()).toContain(artist)
    await expect.poll(() => rowCount(page)).toBe(count)
    await page.goForward()
    await page.getByText('No item has this key').waitFor()
  })

  test('a SELECT that scans says what it costs, and asks first', async () => {
    const page = await bench.open(address('SELECT * FROM "music"'))
    await page.getByText(/SELECT scans music: \d+ items/).waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await bench.shoot(page, 'partiql-scan')
    await page.getByRole('dialog').getByRole('button', { name: 'Scan', exact: true }).click()
    await results(page).waitFor()
    const { Count } = await bench.server.execute('Scan', { TableName: 'music', Select: 'COUNT' })
    await expect.poll(() => rowCount(page)).toBe(Count)
  })

  test('pages follow each other', async () => {
    const page = await bench.open(address('SELECT * FROM "music"'))
    await page.getByLabel('Limit').fill('10')
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Scan', exact: true }).click()
    await page.getByText('10 items, and there is more to read').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('20 items, and there is more to read').waitFor()
  })

  test('statements that write are asked about, run one after the other, and change what is there', async () => {
    const page = await bench.open(
      address(
        `INSERT INTO "music" VALUE {'pk': 'test#1', 'sk': 'a', 'title': 'One'};\n` +
          `UPDATE "music" SET title = ? WHERE pk = 'test#1' AND sk = 'a' RETURNING ALL NEW *;\n` +
          `SELECT * FROM "music" WHERE pk = 'test#1'`,
        [{ type: 'S', value: "it's two" }],
      ),
    )
    await page.getByText('INSERT writes to music').waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    const question = page.getByRole('dialog', { name: 'Run 2 statements that change data?' })
    await bench.shoot(page, 'partiql-write')
    await question.getByRole('button', { name: 'Run them' }).click()
    await page.getByText('3 ✓').waitFor()
    await page.getByText('Written').waitFor()
    await page.getByText('2 ✓').click()
    await page.getByRole('gridcell', { name: "it's two" }).waitFor()
    await bench.shoot(page, 'partiql-several')
    const { Item } = await bench.server.execute('GetItem', {
      TableName: 'music',
      Key: { pk: { S: 'test#1' }, sk: { S: 'a' } },
    })
    expect(Item).toMatchObject({ title: { S: "it's two" } })
  })

  test('what is wrong is marked where it is, while it is typed and when the service refuses it', async () => {
    bench.expectConsole(/400/)
    const page = await bench.open('/partiql/music')
    await editor(page).click()
    await page.keyboard.type('SELEC * FROM "music"')
    await page.getByText('not a statement yet').waitFor()
    // What is marked while it is typed may be half of it.
    await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['SELEC'])
    await page.keyboard.press('Control+a')
    await page.keyboard.type('SELECT * FORM "music" WHERE pk = \'a\'')
    await expect.poll(() => page.locator('.cm-lintRange-error').allInnerTexts()).toEqual(['FORM'])
    await page.getByRole('button', { name: /^Run/ }).click()
    await page
      .getByText(/Statement wasn't well formed/)
      .first()
      .waitFor()
    const refused = await bench.open(address(`SELECT * FROM "music" WHERE pk = 'a' ORDER BY nothing`))
    await refused.getByRole('button', { name: /^Run/ }).click()
    await refused.getByRole('alert').first().waitFor()
    await refused.locator('.cm-lintRange-error').first().waitFor()
    await bench.shoot(refused, 'partiql-error')
  })

  test('the code of a statement runs as it is', async () => {
    const artist = await anArtist()
    const page = await bench.open(address('SELECT * FROM "music" WHERE pk = ?', [{ type: 'S', value: artist }]))
    await page.getByRole('tab', { name: 'Code' }).click()
    const code = await page.locator('pre[aria-label="Code"]').innerText()
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-'],
      code.replace('console.log(items)', 'console.log(items.length)'),
    )
    const { Items } = await bench.server.execute('ExecuteStatement', {
      Statement: 'SELECT * FROM "music" WHERE pk = ?',
      Parameters: [{ S: artist }],
    })
    expect(stdout).toBe(`${(Items as unknown[]).length}\n`)
    await page.getByLabel('Language').selectOption('go')
    await page.getByText('ExecuteStatementInput{').waitFor()
  })

  test('statements are kept with the queries', async () => {
    const page = await bench.open(address(`SELECT * FROM "music" WHERE pk = 'nobody'`))
    await page.getByText('SELECT by key').waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByText('No item has this key').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Name').fill('Nobody')
    await page.keyboard.press('Enter')
    await page.goto(`${bench.server.origin}/_workbench/query/music`)
    await page.getByRole('button', { name: 'Saved and history' }).click()
    await page.getByRole('tab', { name: /Saved/ }).click()
    await page.getByText('Nobody', { exact: true }).click()
    await editor(page).waitFor()
    await expect.poll(() => editor(page).innerText()).toContain("pk = 'nobody'")
  })
})

describe('a workbench that is read-only', () => {
  const bench = useWorkbench({ examples: ['music'], readOnly: true })

  test('runs what reads and refuses what writes, without asking the database', async () => {
    const page = await bench.open(address(`DELETE FROM "music" WHERE pk = 'a' AND sk = 'b'`))
    await page.getByText('DELETE writes to music').waitFor()
    await page.getByRole('button', { name: /^Run/ }).click()
    await page.getByText(/This workbench is read-only, so it only runs SELECT/).waitFor()
  })
})
