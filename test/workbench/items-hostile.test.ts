import { expect, test } from 'vitest'
import { useWorkbench } from './support/use-workbench.ts'

const bench = useWorkbench()

const script =
  '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1"><svg onload="window.harmed=1">'

/** Everything that has ever harmed a page, or been lost by one. */
function hostileItem() {
  let deep: object = { S: `bottom ${script}` }
  for (let level = 0; level < 30; level++)
    deep = level % 2 === 0 ? { M: { [`<b>${String(level)}`]: deep } } : { L: [deep] }
  return {
    id: { S: script },
    at: { N: '12345678901234567890123456789012345678' },
    tiny: { N: '0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001' },
    javascript: { S: 'javascript:alert(1)//"\'`${1}' },
    rtl: { S: '\u202eevil\u202c العربية עברית mixed \u200f text' },
    lines: { S: 'a\r\nb\rc\nd\te\u0000f\u2028g\ufeff' },
    emoji: { S: '👩‍👩‍👧‍👦 \ud83d\ude00 ﷽' },
    empty: { S: '' },
    bytes: { B: 'AAECAwT//v38' },
    emptyBytes: { B: '' },
    words: { SS: ['', script, 'ü'] },
    numbers: { NS: ['-0.1', '1', '99999999999999999999999999999999999999'] },
    pieces: { BS: ['AA==', '//8='] },
    no: { BOOL: false },
    nil: { NULL: true },
    none: { L: [] },
    blank: { M: {} },
    deep,
    ['__proto__']: { S: 'not a prototype' },
    constructor: { M: { ['__proto__']: { N: '1' }, toString: { S: 'text' } } },
    '<img src=x onerror=window.harmed=1>': { S: 'name' },
    'na.me[0] #:"\\': { S: 'odd name' },
    long: { S: 'x<b>'.repeat(82_000) },
  }
}

const asText = `{${Object.entries(hostileItem())
  .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  .join(',')},"__proto__":{"S":"not a prototype"}}`

test('a hostile item is shown and edited without harm or loss', { timeout: 90_000 }, async () => {
  await bench.server.execute('CreateTable', {
    TableName: 'hostile',
    KeySchema: [
      { AttributeName: 'id', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const item = JSON.parse(asText) as ReturnType<typeof hostileItem>
  await bench.server.execute('PutItem', { TableName: 'hostile', Item: item })
  const Key = { id: item.id, at: item.at }
  const stored = async (): Promise<Record<string, unknown>> =>
    (await bench.server.execute('GetItem', { TableName: 'hostile', Key }))['Item'] as Record<string, unknown>
  const before = await stored()
  expect(Object.keys(before)).toContain('__proto__')

  const page = await bench.open('/items/hostile')
  const harmed = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'harmed'))
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).getByRole('button').first().waitFor()
  await bench.shoot(page, 'items-hostile')
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).getByRole('button').first().click()
  const drawer = page.locator('.dialog[role="dialog"]')
  await drawer.getByRole('combobox', { name: 'no', exact: true }).waitFor()
  await bench.shoot(page, 'items-hostile-editor')

  // Through every form and back, with a change in each.
  const save = async (): Promise<void> => {
    await drawer.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Item saved').last().waitFor()
    await drawer.waitFor({ state: 'hidden' })
  }
  const reopen = async (): Promise<void> => {
    await page.getByRole('grid', { name: 'Items' }).getByRole('row').nth(1).getByRole('button').first().click()
    await drawer.getByRole('combobox', { name: 'no', exact: true }).waitFor()
  }
  await drawer.getByRole('combobox', { name: 'no', exact: true }).selectOption('true')
  await save()
  expect(await stored()).toEqual({ ...before, no: { BOOL: true } })

  for (const [tab, label] of [
    ['DynamoDB JSON', 'Item as DynamoDB JSON'],
    ['JSON', 'Item as JSON'],
  ] as const) {
    await reopen()
    await drawer.getByRole('tab', { name: tab, exact: true }).click()
    await drawer.getByRole('textbox', { name: label }).waitFor()
    await drawer.getByRole('tab', { name: 'Form' }).click()
    await drawer.getByRole('combobox', { name: 'no', exact: true }).selectOption(tab === 'JSON' ? 'true' : 'false')
    await save()
    const after = await stored()
    expect(JSON.stringify(sorted(after))).toBe(JSON.stringify(sorted({ ...before, no: { BOOL: tab === 'JSON' } })))
  }

  // What a text box would change is edited with escapes.
  await reopen()
  const lines = drawer.getByRole('textbox', { name: 'lines', exact: true })
  await expect.poll(() => lines.inputValue()).toBe(String.raw`a\r\nb\rc\nd\te\u0000f\u2028g\ufeff`)
  await lines.press('Control+End')
  await lines.pressSequentially(String.raw`!\r`)
  await save()
  expect((await stored())['lines']).toEqual({ S: 'a\r\nb\rc\nd\te\u0000f\u2028g\ufeff!\r' })
  expect((await stored())['long']).toEqual(item.long)

  await page.goto(`${bench.server.origin}/_workbench/collections/hostile`)
  await page.getByRole('row').nth(1).waitFor()
  await bench.shoot(page, 'collections-hostile')
  expect(await harmed()).toBeUndefined()
})

function sorted(item: Record<string, unknown>): unknown {
  return Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
