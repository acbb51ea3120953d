import { describe, expect, test } from 'vitest'
import { ExpressionScope } from './expression-scope.ts'

describe('validation', () => {
  test.each([
    [{}, undefined, 'ExpressionAttributeNames must not be empty'],
    [undefined, {}, 'ExpressionAttributeValues must not be empty'],
    [{}, {}, 'ExpressionAttributeNames must not be empty'],
    [{ a: 'a' }, undefined, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"'],
    [{ '#': 'a' }, undefined, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"'],
    [{ '#a-b': 'a' }, undefined, 'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"'],
    [{ '#a': '' }, undefined, 'ExpressionAttributeNames contains invalid value: Empty attribute name for key #a'],
    [undefined, { a: { S: 'b' } }, 'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'],
    [
      undefined,
      { ':b': {} },
      'ExpressionAttributeValues contains invalid value: ' +
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :b',
    ],
    [
      undefined,
      { ':b': { SS: [] } },
      'ExpressionAttributeValues contains invalid value: ' +
        'One or more parameter values were invalid: An string set  may not be empty for key :b',
    ],
    [
      undefined,
      { ':b': { N: 'x' } },
      'ExpressionAttributeValues contains invalid value: ' +
        'The parameter cannot be converted to a numeric value: x for key :b',
    ],
  ])('names %j and values %j are refused', (names, values, message) => {
    expect(() => new ExpressionScope(names, values)).toThrow(message)
  })

  test('current operations do not say which value they refuse', () => {
    expect(() => new ExpressionScope(undefined, { ':b': { SS: ['b', 'a', 'b'] } }, 'current')).toThrow(
      /^One or more parameter values were invalid: Input collection \["a", "b", "b"\] contains duplicates\.$/,
    )
    expect(() => new ExpressionScope(undefined, { ':b': { SS: ['b', 'a', 'b'] } }, 'older')).toThrow(
      'ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: Input collection [b, a, b] contains duplicates. for key :b',
    )
  })

  test('values nest 32 levels, for older operations one more', () => {
    let value: unknown = { S: 'leaf' }
    for (let level = 1; level < 33; level++) value = { M: { below: value } }
    expect(() => new ExpressionScope(undefined, { ':v': value })).toThrow('Nesting Levels have exceeded')
    expect(() => new ExpressionScope(undefined, { ':v': value }, 'older')).not.toThrow()
    expect(() => new ExpressionScope(undefined, { ':v': { L: [value] } }, 'older')).toThrow(
      /Nesting Levels have exceeded .+ for key :v$/,
    )
  })

  test('a placeholder of 255 characters is the longest', () => {
    expect(() => new ExpressionScope({ [`#${'a'.repeat(254)}`]: 'a' }, undefined)).not.toThrow()
    expect(() => new ExpressionScope({ [`#${'a'.repeat(255)}`]: 'a' }, undefined)).toThrow(
      'contains a key that is too long; size of key: 256',
    )
  })

  test('values take at most two megabytes together', () => {
    const half = { S: 'x'.repeat(1_048_576) }
    expect(() => new ExpressionScope(undefined, { ':a': half, ':b': half })).not.toThrow()
    expect(() => new ExpressionScope(undefined, { ':a': half, ':b': half, ':c': { N: '1' } })).toThrow(
      'ExpressionAttributeValues exceeds max size',
    )
  })
})

describe('resolution', () => {
  test('numbers are canonical', () => {
    expect(new ExpressionScope(undefined, { ':n': { N: '1e2' } }).value(':n')).toEqual({ N: '100' })
  })

  test('what is not defined is undefined', () => {
    const scope = new ExpressionScope({ '#a': 'b' }, undefined)
    expect(scope.name('#a')).toBe('b')
    expect(scope.name('#b')).toBeUndefined()
    expect(scope.value(':a')).toBeUndefined()
  })
})

describe('assertAllUsed', () => {
  test('passes if there is nothing to use', () => {
    expect(() => new ExpressionScope(undefined, null).assertAllUsed()).not.toThrow()
  })

  test('names are reported before values', () => {
    const scope = new ExpressionScope({ '#a': 'a' }, { ':a': { S: 'a' } })
    expect(() => scope.assertAllUsed()).toThrow(
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}',
    )
    scope.name('#a')
    expect(() => scope.assertAllUsed()).toThrow(
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}',
    )
    scope.value(':a')
    expect(() => scope.assertAllUsed()).not.toThrow()
  })

  test('several keys come in the order of a Java hash set', () => {
    const scope = new ExpressionScope({ '#b': 'b', '#a': 'a', '#c': 'c' }, undefined)
    expect(() => scope.assertAllUsed()).toThrow('keys: {#c, #a, #b}')
  })
})
