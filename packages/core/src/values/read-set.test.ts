import { describe, expect, test } from 'vitest'
import { DuplicateMembers, readSet, uniteSets, type SetType } from './read-set.ts'

const invalid = 'One or more parameter values were invalid: '

describe('the members of a set', () => {
  test.each<[SetType, string[], string[]]>([
    ['SS', ['b', 'a', 'é', 'Z', ''], ['', 'Z', 'a', 'b', 'é']],
    // By bytes, unlike the order of JavaScript's strings.
    ['SS', ['😀', '｡'], ['｡', '😀']],
    ['NS', ['10', '9', '-3', '0.5'], ['-3', '0.5', '9', '10']],
    ['BS', ['/w==', 'AA==', ''], ['', 'AA==', '/w==']],
  ])('of %s are put in order: %j', (type, members, ordered) => {
    expect(readSet(type, members)).toEqual(ordered)
    expect(members).not.toEqual(ordered)
  })

  test('are kept where they are in order already', () => {
    const members = ['a', 'b']
    expect(readSet('SS', members)).toBe(members)
  })

  test('are put in order in linear logarithmic time', () => {
    const members = Array.from({ length: 100_000 }, (_, n) => String((n * 7919) % 100_003))
    const before = process.cpuUsage()
    expect(readSet('NS', members)).toHaveLength(100_000)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
  })

  test('of two sets are united in order', () => {
    expect(uniteSets('NS', ['1', '10'], ['9', '1'])).toEqual(['1', '9', '10'])
  })
})

describe('a set with a member twice', () => {
  const refusalOf = (type: SetType, members: readonly string[]): DuplicateMembers => {
    try {
      readSet(type, members)
    } catch (error) {
      if (error instanceof DuplicateMembers) return error
    }
    throw new Error('it was not refused')
  }

  test.each<[SetType, string[], string, string]>([
    [
      'SS',
      ['b', 'a', 'b', 'c'],
      `${invalid}Input collection [b, a, b, c] contains duplicates.`,
      `${invalid}Input collection ["a", "b", "b", "c"] contains duplicates.`,
    ],
    [
      'BS',
      ['/w==', 'AA==', 'AA=='],
      `${invalid}Input collection [/w==, AA==, AA==]of type BS contains duplicates.`,
      `${invalid}Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.`,
    ],
    [
      'NS',
      ['2', '1', '2.0'],
      'Input collection contains duplicates',
      `${invalid}Input collection contains duplicates.`,
    ],
  ])('%s is refused in older and in current words: %j', (type, members, older, current) => {
    const refusal = refusalOf(type, members)
    expect(refusal.message).toBe(older)
    expect(refusal.inCurrentWording().message).toBe(current)
  })

  test('is found among many members', () => {
    const members = Array.from({ length: 20 }, (_, n) => `m${n % 19}`)
    expect(refusalOf('SS', members).code).toBe('ValidationException')
  })
})
