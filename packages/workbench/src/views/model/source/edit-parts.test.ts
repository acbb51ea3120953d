import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setIndexWhen, setTable } from './edit-entities.ts'
import { setIndexConfig } from './edit-indexes.ts'
import { setFigure, setPatternText } from './edit-patterns.ts'
import { addIndexItem, addUnique, removeSatellite, setSatelliteName, setSatellitePart } from './edit-satellites.ts'
import { addStep, removeStep, setStep, setStepCount } from './edit-steps.ts'
import { outlineOf, type EntityPlace, type ModelOutline, type PatternPlace } from './model-outline.ts'
import { entityForm, indexForms, patternForm } from './read-forms.ts'

const fileOf = (name: string): string =>
  readFileSync(new URL(`../../../../../../examples/${name}/${name}.model.ts`, import.meta.url), 'utf8')
const shop = fileOf('shop')
const payments = fileOf('payments')

function of(text: string, name = 'shop'): ModelOutline {
  const outline = outlineOf(text, name)
  if (outline === undefined) throw new Error('it has no model')
  return outline
}

function entityIn(outline: ModelOutline, name: string): EntityPlace {
  const found = outline.entities.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no entity ${name}`)
  return found
}

function patternIn(outline: ModelOutline, name: string): PatternPlace {
  const found = outline.patterns.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no pattern ${name}`)
  return found
}

/** What was put in the place of what, the same beginning and end left out. */
function change(before: string, after: string): readonly [was: string, is: string] {
  let from = 0
  while (from < before.length && before[from] === after[from]) from++
  let end = 0
  while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end)) end++
  return [before.slice(from, before.length - end), after.slice(from, after.length - end)]
}

test('the steps of a transaction are added, counted, changed and removed', () => {
  const outline = of(shop)
  const checkout = patternIn(outline, 'checkout')
  expect(patternForm(outline, checkout).steps?.[2]).toEqual({ entity: 'OrderItem', action: 'create', count: 3 })
  expect(change(shop, setStepCount(outline, checkout, 'OrderItem.create', 8))).toEqual(['3', '8'])
  expect(change(shop, setStep(outline, checkout, 'Product.update', 'Product.upsert'))).toEqual(['date', 'sert'])
  // One that is there already is not there twice.
  expect(setStep(outline, checkout, 'Product.update', 'Order.create')).toBe(shop)
  const added = addStep(outline, checkout, 'Session.delete')
  expect(change(shop, added)[1]).toContain("'Session.delete': 1,")
  const again = of(added)
  expect(removeStep(again, patternIn(again, 'checkout'), 'Session.delete')).toBe(shop)
})

test('what a pattern may cost, what it filters and its bounds are set and taken away', () => {
  const outline = of(shop)
  const homePage = patternIn(outline, 'homePage')
  expect(patternForm(outline, homePage)).toMatchObject({
    budget: { requests: 1, readUnits: 1 },
    traffic: { rate: 400, peakRate: 1000 },
    texts: { between: 'ORDER#, PROFILE' },
  })
  expect(change(shop, setFigure(outline, homePage, 'budget', 'readUnits', 2))).toEqual(['1', '2'])
  expect(change(shop, setFigure(outline, homePage, 'budget', 'milliseconds', 50))).toEqual([
    '',
    ', milliseconds: 50',
  ])
  expect(change(shop, setFigure(outline, patternIn(outline, 'saveProduct'), 'budget', 'writeUnits', 3))).toEqual([
    '',
    ', budget: { writeUnits: 3 }',
  ])
  expect(change(shop, setPatternText(outline, homePage, 'between', 'A, B'))).toEqual([
    "ORDER#', 'PROFILE",
    "A', 'B",
  ])
  expect(change(shop, setPatternText(outline, homePage, 'filter', 'name'))[1]).toContain("filter: ['name']")
})

test('which items are in an index is said, changed and taken away', () => {
  const outline = of(shop)
  const order = entityIn(outline, 'Order')
  const { indexKeys } = entityForm(outline, order)
  expect(indexKeys.find(({ index }) => index === 'active')?.when).toBe("{ status: ['pending', 'processing'] }")
  expect(change(shop, setIndexWhen(outline, order, 'active', "{ status: ['pending'] }"))).toEqual([
    ", 'processing'",
    '',
  ])
  expect(change(shop, setIndexWhen(outline, order, 'gsi1', "{ status: 'shipped' }"))).toEqual([
    '',
    ", when: { status: 'shipped' }",
  ])
  expect(setIndexWhen(outline, order, 'active', '')).not.toContain('when:')
})

test('unique values and index items are added, changed and removed', () => {
  const outline = of(shop)
  const customer = entityIn(outline, 'Customer')
  expect(entityForm(outline, customer).satellites).toMatchObject([
    { kind: 'unique', name: 'email', pk: 'EMAIL#{email}', sk: 'EMAIL' },
  ])
  expect(change(shop, setSatelliteName(outline, customer, 0, 'email, name'))).toEqual([
    "'email'",
    "['email', 'name']",
  ])
  expect(change(shop, setSatellitePart(outline, customer, 0, 'pk', 'MAIL#{email}'))).toEqual(['E', ''])
  for (const add of [
    (at: ModelOutline) => addUnique(at, entityIn(at, 'Product'), 'name'),
    (at: ModelOutline) => addIndexItem(at, entityIn(at, 'Product'), 'byTag'),
  ]) {
    const added = of(add(outline))
    const product = entityIn(added, 'Product')
    expect(entityForm(added, product).satellites).toHaveLength(1)
    expect(removeSatellite(added, product, 0)).toBe(shop)
  }
  const unique = of(addUnique(outline, entityIn(outline, 'Product'), 'name'))
  expect(
    change(unique.source.text, setSatellitePart(unique, entityIn(unique, 'Product'), 0, 'pk', 'NAME#{name}')),
  ).toEqual(['', ", { pk: 'NAME#{name}' }"])
})

test('a model of several tables has its indexes where its tables say so', () => {
  const outline = of(payments, 'payments')
  expect(outline.tables.map(({ name }) => name)).toEqual(['accounts', 'ledger', 'orders', 'payments', 'access'])
  expect(entityForm(outline, entityIn(outline, 'Account')).table).toBe('accounts')
  expect(change(payments, setTable(outline, entityIn(outline, 'Account'), 'ledger'))).toEqual([
    'accounts',
    'ledger',
  ])
  expect(indexForms(outline).map(({ name, projection, pk }) => [name, projection, pk])).toEqual(
    expect.arrayContaining([
      ['byMerchant', 'amount', ''],
      ['inverted', 'ALL', 'sk'],
    ]),
  )
  expect(change(payments, setIndexConfig(outline, 'byMerchant', 'projection', 'KEYS_ONLY'))).toEqual([
    "['amount']",
    "'KEYS_ONLY'",
  ])
  expect(change(payments, setIndexConfig(outline, 'inverted', 'projection', 'KEYS_ONLY'))).toEqual([
    '',
    ", projection: 'KEYS_ONLY'",
  ])
})
