import { describe, expect, test } from 'vitest'
import { checkSelect, type SelectInput } from './select.ts'

describe('checkSelect', () => {
  test.each<[SelectInput, string]>([
    [
      { Select: 'ALL_PROJECTED_ATTRIBUTES' },
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    ],
    [
      { Select: 'SPECIFIC_ATTRIBUTES' },
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    ],
    [
      { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'a' },
      'Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES',
    ],
    [
      { Select: 'ALL_PROJECTED_ATTRIBUTES', IndexName: 'by-a', AttributesToGet: ['a'] },
      'Cannot specify the AttributesToGet when choosing to get ALL_PROJECTED_ATTRIBUTES',
    ],
    [
      { Select: 'COUNT', ProjectionExpression: 'a' },
      'Cannot specify the ProjectionExpression when choosing to get only the Count',
    ],
  ])('refuses %j', (input, message) => {
    expect(() => {
      checkSelect(input)
    }).toThrow(expect.objectContaining({ code: 'ValidationException', message }))
  })

  test.each<SelectInput>([
    {},
    { Select: 'COUNT' },
    { Select: 'ALL_PROJECTED_ATTRIBUTES', IndexName: 'by-a' },
    { Select: 'SPECIFIC_ATTRIBUTES', AttributesToGet: ['a'] },
    { ProjectionExpression: 'a' },
  ])('lets %j be', (input) => {
    expect(() => {
      checkSelect(input)
    }).not.toThrow()
  })
})
