import { describe, expect, test } from 'vitest'
import { serviceInputReader } from './read-service-input.ts'
import { ShapeBook } from './shapes.ts'

const read = serviceInputReader(
  new ShapeBook(
    String.raw`
AddTagsInput structure Tags!:TagMap Variables:Variables
TagKey string 1..8
TagMap map TagValue 1..3 keys TagKey
TagValue string 0..10
VariableName string pattern [a-z]+
Variables map VariableValue keys VariableName
VariableValue string
`.trim(),
  ),
)

const refusal = (value: string, path: string, constraint: string): string =>
  `1 validation error detected: Value '${value}' at '${path}' failed to satisfy constraint: ${constraint}`

describe('a map whose keys and values the model constrains', () => {
  test('is read if they fit', () => {
    const input = { Tags: { owner: 'ana', stage: '' }, Variables: { table: 'orders' } }
    expect(read('AddTags', input)).toEqual(input)
  })

  test.each([
    [
      { Tags: { environment: 'x' } },
      '{environment=x}',
      'tags',
      'Map keys must satisfy constraint: [Member must have length less than or equal to 8, Member must have length greater than or equal to 1]',
    ],
    [
      { Tags: { a: 'x', b: 'abcdefghijk', c: 'abcdefghijk' } },
      '{a=x, b=abcdefghijk, c=abcdefghijk}',
      'tags',
      'Map value must satisfy constraint: [Member must have length less than or equal to 10, Member must have length greater than or equal to 0]',
    ],
    [
      { Tags: { a: 'x' }, Variables: { 'MY TABLE': 'x' } },
      '{MY TABLE=x}',
      'variables',
      'Map keys must satisfy constraint: [Member must satisfy regular expression pattern: [a-z]+]',
    ],
  ])('is refused as a whole: %j', (input, value, path, constraint) => {
    expect(() => read('AddTags', input)).toThrow(refusal(value, path, constraint))
  })
})
