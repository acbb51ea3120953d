import type { Shape } from '@hashrange/engine'

/** An input that asks for more work than it should. */
export interface CostlyInput {
  /** What was made large and how: `Item{}.L: 400000 elements`. */
  readonly name: string
  /** Makes the input, as JSON: some are larger than a program would want to hold as values. */
  readonly json: () => string
}

/** Every member of an operation's input, at every depth, made as large as `bytes` allow while the rest of it stays as in `base`, which the operation would
 *  accept: lists and maps of very many elements, long texts and numbers, values that nest. */
export function* costlyInputs(shape: Shape, base: unknown, bytes: number): Iterable<CostlyInput> {
  for (const { path, steps, shape: at } of placesOf(shape, '', [], 0)) {
    for (const [kind, text] of costlyValues(at, sampleOf(at, steps.at(-1) ?? ''), steps.at(-1) ?? '', bytes)) {
      yield { name: `${path}: ${kind}`, json: () => textWith(base, steps, text(), shape) }
    }
  }
}

interface Place {
  readonly path: string
  readonly steps: readonly string[]
  readonly shape: Shape
}

const deepestPlace = 8

function* placesOf(shape: Shape, path: string, steps: readonly string[], depth: number): Iterable<Place> {
  if (depth > deepestPlace) return
  if (path !== '') yield { path, steps, shape }
  if (shape.kind === 'structure') {
    for (const { name, shape: member } of shape.members) {
      yield* placesOf(member, path === '' ? name : `${path}.${name}`, [...steps, name], depth + 1)
    }
  } else if (shape.kind === 'list') {
    yield* placesOf(shape.element, `${path}[]`, [...steps, '0'], depth + 1)
  } else if (shape.kind === 'map') {
    yield* placesOf(shape.value, `${path}{}`, [...steps, sampleKey(steps.at(-1) ?? '')], depth + 1)
  }
}

/** The base with one place of it replaced. Everything on the way there that the base lacks is a sample. */
function textWith(base: unknown, steps: readonly string[], text: string, shape: Shape): string {
  const [step, ...rest] = steps
  if (step === undefined) return text
  const next = innerShape(shape, step)
  const name = shape.kind === 'structure' ? step : ''
  if (shape.kind === 'list') {
    const first = Array.isArray(base) ? (base[0] as unknown) : undefined
    return `[${textWith(first ?? sampleOf(next, name), rest, text, next)}]`
  }
  const record = typeof base === 'object' && base !== null ? (base as Record<string, unknown>) : {}
  const key = shape.kind === 'map' ? (Object.keys(record)[0] ?? step) : step
  const others = Object.entries(record)
    .filter(([other]) => other !== key)
    .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`)
  const inner = textWith(record[key] ?? sampleOf(next, step), rest, text, next)
  return `{${[...others, `${JSON.stringify(key)}:${inner}`].join(',')}}`
}

function innerShape(shape: Shape, step: string): Shape {
  if (shape.kind === 'list') return shape.element
  if (shape.kind === 'map') return shape.value
  const member = shape.kind === 'structure' ? shape.members.find(({ name }) => name === step) : undefined
  if (member === undefined) throw new Error(`no member ${step}`)
  return member.shape
}

/** Each with a name, and as JSON. */
function* costlyValues(
  shape: Shape,
  sample: unknown,
  name: string,
  bytes: number,
): Iterable<readonly [string, () => string]> {
  switch (shape.kind) {
    case 'structure':
      yield ['unknown members', () => objectOf(bytes, () => '1')]
      yield ['nested', () => nested('{"x":', '1', '}', bytes)]
      break
    case 'list': {
      const element = JSON.stringify(Array.isArray(sample) ? sample[0] : sample)
      yield ['same elements', () => listOf(bytes, () => element)]
      yield ['other elements', () => listOf(bytes, (index) => varied(element, index))]
      yield ['nulls', () => listOf(bytes, () => 'null')]
      yield ['wrong elements', () => listOf(bytes, () => '[]')]
      break
    }
    case 'map': {
      const value = JSON.stringify(Object.values(sample as object)[0])
      yield ['keys', () => objectOf(bytes, () => value)]
      yield ['names', () => objectOf(bytes, () => value, '#')]
      yield ['values', () => objectOf(bytes, () => value, ':')]
      yield ['nulls', () => objectOf(bytes, () => 'null')]
      break
    }
    case 'attribute-value':
      yield* costlyAttributeValues(bytes)
      break
    case 'string':
      yield* costlyTexts(name, bytes)
      break
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
      for (const number of ['0', '-1', '1e308', '9007199254740991', '1e15', '253402300799', '1e-300'])
        yield [number, () => number]
      yield ['digits', () => '9'.repeat(bytes)]
      break
    case 'boolean':
      yield ['a long text', () => JSON.stringify('t'.repeat(bytes))]
      break
    default:
      break
  }
}

function* costlyAttributeValues(bytes: number): Iterable<readonly [string, () => string]> {
  yield ['S', () => `{"S":"${'x'.repeat(bytes)}"}`]
  yield ['S of escapes', () => `{"S":"${'\\u0000'.repeat(bytes / 6)}"}`]
  yield ['B', () => `{"B":"${'AAAA'.repeat(bytes / 4)}"}`]
  yield ['wrong B', () => `{"B":"${'AAAA'.repeat(bytes / 4)}!"}`]
  yield ['N of digits', () => `{"N":"${'9'.repeat(bytes)}"}`]
  yield ['N of zeros', () => `{"N":"${'0'.repeat(bytes)}1"}`]
  yield ['N of decimal zeros', () => `{"N":"0.${'0'.repeat(bytes)}1"}`]
  yield ['N of trailing zeros', () => `{"N":"1${'0'.repeat(bytes)}"}`]
  yield ['N of a long exponent', () => `{"N":"1e${'9'.repeat(bytes)}"}`]
  yield ['N of an exponent of zeros', () => `{"N":"1e${'0'.repeat(bytes)}1"}`]
  yield ['L', () => `{"L":${listOf(bytes, () => '{"NULL":true}')}}`]
  yield ['L of N', () => `{"L":${listOf(bytes, (index) => `{"N":"${index % 10}"}`)}}`]
  yield ['L of L', () => `{"L":${listOf(bytes, () => '{"L":[]}')}}`]
  yield ['M', () => `{"M":${objectOf(bytes, () => '{"NULL":true}')}}`]
  yield ['SS', () => `{"SS":${listOf(bytes, (index) => `"${index}"`)}}`]
  yield ['SS of one', () => `{"SS":${listOf(bytes, () => '"a"')}}`]
  yield ['SS of wrong types', () => `{"SS":${listOf(bytes, () => '1')}}`]
  yield ['NS', () => `{"NS":${listOf(bytes, (index) => `"${index}"`)}}`]
  yield ['NS of one', () => `{"NS":${listOf(bytes, () => '"1"')}}`]
  yield ['NS of long numbers', () => `{"NS":${listOf(bytes, (index) => `"${'1'.repeat(30)}${index}e-100"`)}}`]
  yield ['BS', () => `{"BS":${listOf(bytes, (index) => `"${Buffer.from(String(index)).toString('base64')}"`)}}`]
  yield ['nested L', () => nested('{"L":[', '{"NULL":true}', ']}', bytes)]
  yield ['nested M', () => nested('{"M":{"a":', '{"NULL":true}', '}}', bytes)]
  yield ['32 levels of L', () => nested('{"L":[', `{"L":${listOf(bytes, () => '{"NULL":true}')}}`, ']}', 30 * 8)]
  yield ['types', () => objectOf(bytes, () => '"a"')]
}

function* costlyTexts(name: string, bytes: number): Iterable<readonly [string, () => string]> {
  yield ['a long text', () => JSON.stringify('a'.repeat(bytes))]
  yield ['a long text of dots', () => JSON.stringify('a.'.repeat(bytes / 2))]
  yield ['a long text of spaces', () => JSON.stringify(`a${' '.repeat(bytes)}b`)]
  if (!/Expression|Statement|Filter|Search/.test(name)) return
  for (const size of [4_000, 8_000, bytes]) {
    for (const [kind, start, middle, end] of expressionParts) {
      const count = Math.floor((size - start.length - end.length) / middle.length)
      yield [`${size} of ${kind}`, () => JSON.stringify(start + middle.repeat(count) + end)]
    }
  }
}

const expressionParts: readonly (readonly [string, string, string, string])[] = [
  ['parentheses', '', '(', ''],
  ['closed parentheses', '', '()', ''],
  ['NOT', '', 'NOT ', 'attribute_exists(a)'],
  ['NOT (', '', 'NOT (', ''],
  ['AND', 'a = a', ' AND a = a', ''],
  ['OR', 'a = :v', ' OR a = :v', ''],
  ['IN', 'a IN (:v', ',:v', ')'],
  ['names', '#n', ',#n', ''],
  ['other names', 'a', ',b.c[1]', ''],
  ['dots', 'a', '.a', ''],
  ['places', 'a', '[0]', ''],
  ['digits', 'a[', '9', ']'],
  ['SET', 'SET a = :v', ', a = :v', ''],
  ['SET of sums', 'SET a = :v', ' + :v', ''],
  ['if_not_exists', 'SET a = ', 'if_not_exists(a, ', ':v'],
  ['REMOVE', 'REMOVE a', ', b[1]', ''],
  ['ADD', 'ADD a :v', ', b :v', ''],
  ['size', '', 'size(', 'a'],
  ['quotes', '', '"', ''],
  ['strings', "SELECT * FROM cost WHERE pk = '", "''", "'"],
  ['SELECT', 'SELECT * FROM cost WHERE pk = 1', ' OR pk = 1', ''],
  ['SELECT IN', 'SELECT * FROM cost WHERE pk IN [1', ',1', ']'],
  ['SELECT nested', 'SELECT * FROM cost WHERE ', '(', ''],
  ['INSERT', "INSERT INTO cost VALUE {'pk':'a'", ",'b':[1]", '}'],
  ['INSERT nested', "INSERT INTO cost VALUE {'pk':'a','b':", '[', ''],
  ['UPDATE', 'UPDATE cost SET a=1', ' SET b.c=1', " WHERE pk='a'"],
  ['metric math', 'SUM(', '(m1+', 'm1'],
  ['SEARCH', "SEARCH('{AWS/DynamoDB,TableName} ", 'a OR ', "b','Sum',60)"],
]

/** Just below what is refused before it is parsed. */
const mostElements = 999_000
const mostMembers = 149_000
const mostLevels = 400

function listOf(bytes: number, element: (index: number) => string): string {
  const parts: string[] = []
  for (let length = 0, index = 0; length < bytes && index < mostElements; index++) {
    const part = element(index)
    parts.push(part)
    length += part.length + 1
  }
  return `[${parts.join(',')}]`
}

function objectOf(bytes: number, value: () => string, prefix = 'a'): string {
  const parts: string[] = []
  for (let length = 0, index = 0; length < bytes && index < mostMembers; index++) {
    const part = `"${prefix}${index.toString(36)}":${value()}`
    parts.push(part)
    length += part.length + 1
  }
  return `{${parts.join(',')}}`
}

function nested(start: string, middle: string, end: string, bytes: number): string {
  const levels = Math.min(mostLevels, Math.floor(bytes / (start.length + end.length)))
  return start.repeat(levels) + middle + end.repeat(levels)
}

/** The last text of a value made another. */
function varied(json: string, index: number): string {
  const end = json.lastIndexOf('"')
  const isValue = end > 0 && !json.startsWith('":', end)
  return isValue ? `${json.slice(0, end)}${index.toString(36)}${json.slice(end)}` : json
}

function sampleKey(name: string): string {
  if (name === 'ExpressionAttributeNames') return '#n'
  if (name === 'ExpressionAttributeValues') return ':v'
  return name === 'RequestItems' ? 'cost' : 'pk'
}

/** A small value of a shape, acceptable where that can be guessed. */
export function sampleOf(shape: Shape, name: string): unknown {
  switch (shape.kind) {
    case 'structure':
      return Object.fromEntries(
        shape.members
          .filter(({ required }) => required)
          .map((member) => [member.name, sampleOf(member.shape, member.name)]),
      )
    case 'list':
      return [sampleOf(shape.element, name)]
    case 'map':
      return { [sampleKey(name)]: sampleOf(shape.value, name) }
    case 'attribute-value':
      return { S: 'a' }
    case 'string':
      return shape.values?.[0] ?? samples.get(name) ?? 'pk'
    case 'integer':
    case 'long':
    case 'double':
      return Math.max(1, shape.minimum ?? 1)
    case 'timestamp':
      return 1_800_000_000
    case 'boolean':
      return true
    default:
      return null
  }
}

const samples = new Map([
  ['TableName', 'cost'],
  ['IndexName', 'gsi'],
  ['ExpressionAttributeNames', 'pk'],
  ['ConditionExpression', 'attribute_exists(pk)'],
  ['UpdateExpression', 'SET a = :v'],
  ['Statement', "SELECT * FROM cost WHERE pk = 'a'"],
  ['MetricName', 'ConsumedReadCapacityUnits'],
  ['Namespace', 'AWS/DynamoDB'],
  ['ResourceId', 'table/cost'],
  ['ResourceArn', 'arn:aws:dynamodb:us-east-1:123456789012:table/cost'],
  ['ResourceARN', 'arn:aws:dynamodb:us-east-1:123456789012:table/cost'],
  ['TableArn', 'arn:aws:dynamodb:us-east-1:123456789012:table/cost'],
  ['Id', 'm1'],
  ['Stat', 'Sum'],
])
