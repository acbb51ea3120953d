import { describe, expect, test } from 'vitest'
import { shopDescription } from '../testing/shop-description.ts'
import { collectionDiagram } from './collection-diagram.ts'
import { markdown } from './markdown.ts'

describe('the documentation', () => {
  const text = markdown(shopDescription)

  test('has a row for each access pattern', () => {
    expect(text).toContain(
      '| `getCustomer` | The profile page. | GetItem | `shop` | `customerId` | Customer | 900/s | 0.5 RRU | accounts |',
    )
    expect(text).toContain(
      '| `recentOrders` |  | Query, newest or largest first, limit 25 | `shop` | `CUSTOMER#{customerId}` / `ORDER#*`, range of `placedAt` | Order | 200/s, 5 items |  |  |',
    )
    for (const { name } of shopDescription.patterns) expect(text).toContain(`| \`${name}\` |`)
  })

  test('lists indexes, entities and their keys', () => {
    expect(text).toContain(
      '| `byRegion` | global | `region` (S), `status` (S) | `total` (N) | `entity`, `placedAt` |',
    )
    expect(text).toContain('| `open` | `OPEN#{shard}` | `{placedAt}` | when `status` is OPEN |')
    expect(text).toContain('unique constraint `Customer.email`')
  })

  test('lets nobody write a cell of their own', () => {
    const named = { ...shopDescription, name: 'a | <b>', patterns: [] }
    expect(markdown(named)).toContain(String.raw`# a \| \<b\>`)
  })
})

test('a diagram shows what lies together and who reads it', () => {
  const [table] = shopDescription.tables
  if (table === undefined) throw new Error('no table')
  expect(collectionDiagram(shopDescription, table, undefined)).toBe(`flowchart LR
  subgraph c0["CUSTOMER#35;{customerId}"]
    direction TB
    c0n0["ORDER#35;{placedAt}#35;{orderId}: Order"]
    c0n1["PROFILE: Customer"]
  end
  subgraph c1["UNIQUE#35;Customer#35;email#35;{email}"]
    direction TB
    c1n0["UNIQUE: Customer.email"]
  end
  subgraph c2["ORDER#35;{orderId}"]
    direction TB
    c2n0["LINE#35;{n:04}: Line"]
  end
  p0(["getCustomer"])
  p0 --> c0
  p1(["customerByEmail"])
  p1 --> c1
  p2(["recentOrders"])
  p2 --> c0`)
})
