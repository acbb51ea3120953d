import { describe, expect, test } from 'vitest'
import { addTags, removeTags } from './read-tags.ts'

describe('tags', () => {
  test('are added, replaced and removed', () => {
    const tags = addTags({ env: 'test' }, [
      { Key: 'env', Value: 'live' },
      { Key: '__proto__', Value: 'any' },
    ])
    expect(Object.entries(tags)).toEqual([
      ['env', 'live'],
      ['__proto__', 'any'],
    ])
    expect(removeTags(tags, ['__proto__', 'none'])).toEqual({ env: 'live' })
  })

  test('are fifty at most', () => {
    const fifty = Array.from({ length: 50 }, (_, at) => ({ Key: `k${at}`, Value: '' }))
    expect(Object.keys(addTags({}, fifty))).toHaveLength(50)
    expect(() => addTags({ another: '' }, fifty)).toThrow(
      'Number of Tags exceed the current limit for the provided ResourceArn',
    )
  })

  test.each([
    [{ Value: 'a' }, 'The Tag Key provided is invalid, Key: null'],
    [{ Key: '', Value: 'a' }, 'The Tag Key provided is invalid, Key: '],
    [{ Key: 'a!', Value: 'a' }, 'The Tag Key provided is invalid, Key: a!'],
    [{ Key: 'aws:a', Value: 'a' }, 'Tag Key cannot be prefixed with aws:, Key: aws:a'],
    [{ Key: 'a' }, 'The Tag Value provided is invalid, Value: null'],
  ])('%j is refused', (tag, message) => {
    expect(() => addTags({}, [tag])).toThrow(message)
  })
})
