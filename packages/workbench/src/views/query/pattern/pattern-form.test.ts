import { expect, test } from 'vitest'
import type { PatternDescription } from '@hashrange/model'
import { argumentsOf } from './pattern-form.ts'

const pattern: PatternDescription = {
  name: 'readings',
  action: 'query',
  operation: 'Query',
  table: 'main',
  entities: ['Reading'],
  order: 'ascending',
  isConsistent: false,
  buckets: { attribute: 'at', precision: 'day' },
  parameters: [
    { name: 'device', kind: 'value', isRequired: true },
    { name: 'at', kind: 'range', isRequired: true },
  ],
  traffic: {},
  budget: {},
}

test('a range over periods needs a beginning', () => {
  expect(argumentsOf(pattern, { device: 'a', 'at.to': '2026-01-02' }).missing).toEqual(['at.from'])
  expect(argumentsOf(pattern, { device: 'a', 'at.from': '2026-01-01' })).toMatchObject({
    missing: [],
    parameters: { device: 'a', at: { from: '2026-01-01' } },
  })
})
