import { describe, expect, test } from 'vitest'
import { adjacentObjects } from './adjacent-objects.ts'

describe('adjacentObjects', () => {
  test.each([
    ['{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']],
    ['{"a":{"b":"}{"}} \t{"c":"\\"}"}\r', ['{"a":{"b":"}{"}}', '{"c":"\\"}"}']],
  ])('%j is cut between its objects', (line, expected) => {
    expect(adjacentObjects(line)).toEqual(expected)
  })

  test.each(['', '{}', '{}x{}', '{}{', '}{}', '[]{}', '{"a":"}{}', '"{}{}"'])('%j is left alone', (line) => {
    expect(adjacentObjects(line)).toBeUndefined()
  })
})
