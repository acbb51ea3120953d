import type { Shape } from '@hashrange/engine'
import type { Randomness } from '../support/randomness.ts'
import { anyExpression, anyStatement } from './expressions.ts'
import { anyValue, hostileNumbers, hostileTexts } from './hostile-values.ts'

/** An input of an operation: mostly of the right shape, with something in it that is not right, or too much, or strange. */
export function anyInput(shape: Shape, random: Randomness, name = '', depth = 0): unknown {
  if (random.chance(0.04)) return anyValue(random)
  switch (shape.kind) {
    case 'structure':
      return Object.fromEntries(
        shape.members
          .filter(({ required }) => random.chance(required ? 0.95 : depth > 3 ? 0.15 : 0.35))
          .map((member) => [member.name, anyInput(member.shape, random, member.name, depth + 1)]),
      )
    case 'list': {
      const length = random.chance(0.02) ? 300 : random.between(0, 3)
      return Array.from({ length }, () => anyInput(shape.element, random, name, depth + 1))
    }
    case 'map':
      return Object.fromEntries(
        Array.from({ length: random.between(0, 3) }, () => [
          keyOf(random, name),
          anyInput(shape.value, random, name, depth + 1),
        ]),
      )
    case 'attribute-value':
      return anyAttributeValue(random)
    case 'string':
      return anyText(random, name, shape.values)
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
      return random.chance(0.6) ? random.between(shape.minimum ?? 0, 100) : random.oneOf(hostileNumbers)
  }
}

function keyOf(random: Randomness, name: string): string {
  if (random.chance(0.15)) return random.oneOf(hostileTexts)
  if (name === 'ExpressionAttributeNames') return random.oneOf(['#n', '#m', 'n'])
  if (name === 'ExpressionAttributeValues') return random.oneOf([':v', ':w', 'v'])
  if (name === 'RequestItems') return random.oneOf(['things', 'other'])
  return random.oneOf(['pk', 'sk', 'state', 'a', 'b', 'expires'])
}

function anyText(random: Randomness, name: string, values: readonly string[] | undefined): string {
  if (random.chance(0.1)) return random.oneOf(hostileTexts)
  if (values !== undefined) return random.oneOf(values)
  if (name.endsWith('Expression')) return anyExpression(random)
  if (/Statement/.test(name)) return anyStatement(random)
  if (/TableName|Table$/.test(name)) return random.oneOf(['things', 'things', 'things', 'other'])
  if (name === 'IndexName') return random.oneOf(['byState', 'byState', 'none'])
  if (name.endsWith('Arn')) return random.oneOf(arns)
  if (/AttributeName|Attributes?(ToGet)?$/.test(name)) return random.oneOf(['pk', 'sk', 'state', 'a'])
  return random.oneOf(['a', 'x', 'things', ...hostileTexts])
}

const arns = [
  'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  'arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026-01-01T00:00:00.000',
  'arn:aws:dynamodb:us-east-1:000000000000:table/things/backup/01700000000000-abcdef01',
  'arn:aws:dynamodb:::',
  'arn:',
]

function anyAttributeValue(random: Randomness, depth = 0): unknown {
  const text = (): string => random.oneOf(hostileTexts)
  switch (random.between(0, depth > 3 ? 6 : 10)) {
    case 0:
      return { S: random.chance(0.5) ? random.oneOf(['a', 'b', 'x']) : text() }
    case 1:
      return { N: random.oneOf(['0', '1', '-1.5', '1e125', '9'.repeat(38), text()]) }
    case 2:
      return { B: random.oneOf(['YQ==', '', 'not base64!', text()]) }
    case 3:
      return { BOOL: random.chance(0.9) ? true : 'true' }
    case 4:
      return { NULL: random.chance(0.9) }
    case 5:
      return { SS: Array.from({ length: random.between(0, 3) }, text) }
    case 6:
      return { NS: random.oneOf([['1', '1.0'], [], ['1', '2'], ['x']]) }
    case 7:
      return { L: Array.from({ length: random.between(0, 3) }, () => anyAttributeValue(random, depth + 1)) }
    case 8:
      return { M: { [random.oneOf(hostileTexts)]: anyAttributeValue(random, depth + 1) } }
    case 9:
      return { S: 'a', N: '1' }
    default:
      return anyValue(random)
  }
}
