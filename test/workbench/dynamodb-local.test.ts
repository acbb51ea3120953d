import { expect, test } from 'vitest'
import { describeIf } from '../support/requirement.ts'
import { addServer, chooseInPicker, dialog } from './support/connections-page.ts'
import { needsDynamoDbLocal, startDynamoDbLocal } from './support/dynamodb-local.ts'
import { useWorkbench } from './support/use-workbench.ts'

describeIf(needsDynamoDbLocal, 'A connection to DynamoDB Local', () => {
  const bench = useWorkbench()

  test('items are read, edited, and copied from it and to it', { timeout: 180_000 }, async () => {
    await using local = await startDynamoDbLocal()
    const { ask } = local
    const page = await bench.open('/tables')
    await addServer(page, 'local', local.endpoint)
    await page.getByRole('button', { name: 'Scope: connection and region: local · us-east-1' }).waitFor()
    await page.getByRole('button', { name: 'Create table' }).first().waitFor()

    // A table of ours goes there.
    const TableName = `moved-${Date.now().toString(36)}`
    const id = { AttributeName: 'id', AttributeType: 'S' }
    await bench.server.execute('CreateTable', {
      TableName,
      AttributeDefinitions: [id],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    for (const key of ['%41', 'A', 'é#+&'])
      await bench.server.execute('PutItem', { TableName, Item: { id: { S: key }, total: { N: '1' } } })
    await chooseInPicker(page, /^us-east-1/)
    await page.getByRole('link', { name: TableName }).click()
    await page
      .getByRole('button', { name: 'More actions' })
      .or(page.getByRole('button', { name: /^More/ }))
      .click()
    await page.getByRole('menuitem', { name: 'Copy table to …' }).click()
    const copying = dialog(page, /^Copy/)
    await copying
      .getByRole('combobox')
      .first()
      .selectOption((await copying.getByRole('option', { name: /^local/ }).getAttribute('value')) ?? '')
    await copying.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText(/^Copied .* to local/).waitFor()
    expect(await ask('Scan', { TableName })).toMatchObject({ Count: 3 })

    // There it is read and edited in place, whatever its keys are.
    await page.evaluate(
      (path) => history.pushState(null, '', path),
      `/_workbench/items/${TableName}?scope=@local/us-east-1`,
    )
    const grid = page.getByRole('grid', { name: 'Items' })
    const row = grid.getByRole('row').filter({ hasText: '%41' })
    // Columns come when rows have been seen: before that, the last cell is the key, which opens the item.
    await row.getByRole('gridcell', { name: '1', exact: true }).click()
    await page.keyboard.press('F2')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect
      .poll(() => ask('GetItem', { TableName, Key: { id: { S: '%41' } } }))
      .toMatchObject({ Item: { total: { N: '7' } } })
    expect(await ask('GetItem', { TableName, Key: { id: { S: 'A' } } })).toMatchObject({
      Item: { total: { N: '1' } },
    })

    // And back.
    await row.getByRole('checkbox').click()
    await page.getByRole('button', { name: 'Copy to …' }).click()
    await dialog(page, 'Copy 1 item').getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied 1 item to this server').waitFor()
    expect(await bench.server.execute('GetItem', { TableName, Key: { id: { S: '%41' } } })).toMatchObject({
      Item: { total: { N: '7' } },
    })
    await ask('DeleteTable', { TableName })
  })
})
