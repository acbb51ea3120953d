import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesPattern } from './match-pattern.ts'
import { PatternError } from './pattern.ts'
import { readPattern } from './read-pattern.ts'

const matches = (pattern: object, event: unknown): boolean =>
  matchesPattern(readPattern(JSON.stringify(pattern)), event)

/** The event of EventBridge's documentation. */
const instance = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  'detail-type': 'EC2 Instance State-change Notification',
  source: 'aws.ec2',
  account: '111122223333',
  time: '2017-12-22T18:43:48Z',
  region: 'us-west-1',
  resources: ['arn:aws:ec2:us-west-1:123456789012:instance/i-1234567890abcdef0'],
  detail: { 'instance-id': 'i-1234567890abcdef0', state: 'terminated' },
}

describe('the examples of EventBridge', () => {
  test.each<[string, object, unknown, boolean]>([
    ['a source', { source: ['aws.ec2'] }, instance, true],
    ['fields that are nested', { source: ['aws.ec2'], detail: { state: ['terminated'] } }, instance, true],
    ['one of several values', { detail: { state: ['pending', 'terminated'] } }, instance, true],
    ['a value that is not there', { detail: { state: ['running'] } }, instance, false],
    ['an element of a list', { resources: [instance.resources[0] ?? ''] }, instance, true],
    ['lists that have a value in common', { a: ['x', 'y'] }, { a: ['z', 'y'] }, true],
    ['an empty string', { detail: { eventVersion: [''] } }, { detail: { eventVersion: '' } }, true],
    ['null', { detail: { UserID: [null] } }, { detail: { UserID: null } }, true],
    ['null is no empty string', { detail: { UserID: [null] } }, { detail: { UserID: '' } }, false],
    ['a number', { detail: { 'c-count': [5] } }, { detail: { 'c-count': 5 } }, true],
    ['text is no number', { detail: { 'c-count': ['5'] } }, { detail: { 'c-count': 5 } }, false],
    ['a boolean', { detail: { on: [true] } }, { detail: { on: true } }, true],
    ['a prefix', { time: [{ prefix: '2017-10-02' }] }, { time: '2017-10-02T18:43:48Z' }, true],
    [
      'a prefix in any case',
      { detail: { service: [{ prefix: { 'equals-ignore-case': 'EventB' } }] } },
      { detail: { service: 'eventbridge' } },
      true,
    ],
    ['a suffix', { FileName: [{ suffix: '.png' }] }, { FileName: 'a.png' }, true],
    [
      'a suffix in any case',
      { FileName: [{ suffix: { 'equals-ignore-case': '.png' } }] },
      { FileName: 'a.PNG' },
      true,
    ],
    ['anything but', { detail: { state: [{ 'anything-but': 'initializing' }] } }, instance, true],
    ['anything but, of a value', { detail: { state: [{ 'anything-but': 'terminated' }] } }, instance, false],
    ['anything but, of what is not there', { detail: { none: [{ 'anything-but': 'x' }] } }, instance, false],
    [
      'anything but several',
      { detail: { state: [{ 'anything-but': ['stopped', 'overloaded'] }] } },
      instance,
      true,
    ],
    [
      'anything but numbers',
      { detail: { 'x-limit': [{ 'anything-but': [100, 200, 300] }] } },
      { detail: { 'x-limit': 200 } },
      false,
    ],
    [
      'anything but in any case',
      { detail: { state: [{ 'anything-but': { 'equals-ignore-case': ['initializing', 'stopped'] } }] } },
      { detail: { state: 'Stopped' } },
      false,
    ],
    ['anything but a prefix', { detail: { state: [{ 'anything-but': { prefix: 'init' } }] } }, instance, true],
    [
      'anything but prefixes',
      { detail: { state: [{ 'anything-but': { prefix: ['init', 'term'] } }] } },
      instance,
      false,
    ],
    ['anything but a suffix', { FileName: [{ 'anything-but': { suffix: '.txt' } }] }, { FileName: 'a.txt' }, false],
    [
      'anything but suffixes',
      { FileName: [{ 'anything-but': { suffix: ['.txt', '.rtf'] } }] },
      { FileName: 'a.png' },
      true,
    ],
    [
      'anything but wildcards',
      { path: [{ 'anything-but': { wildcard: ['*/lib/*', '*/bin/*'] } }] },
      { path: '/usr/lib/x' },
      false,
    ],
    [
      'numbers in ranges',
      {
        detail: {
          'c-count': [{ numeric: ['>', 0, '<=', 5] }],
          'd-count': [{ numeric: ['<', 10] }],
          'x-limit': [{ numeric: ['=', 3.018e2] }],
        },
      },
      { detail: { 'c-count': 5, 'd-count': 9.9, 'x-limit': 301.8 } },
      true,
    ],
    ['numbers out of range', { n: [{ numeric: ['>', 0, '<=', 5] }] }, { n: 0 }, false],
    [
      'an address',
      { detail: { sourceIPAddress: [{ cidr: '10.0.0.0/24' }] } },
      { detail: { sourceIPAddress: '10.0.0.255' } },
      true,
    ],
    [
      'an address elsewhere',
      { detail: { sourceIPAddress: [{ cidr: '10.0.0.0/24' }] } },
      { detail: { sourceIPAddress: '10.0.1.0' } },
      false,
    ],
    ['an address of version 6', { ip: [{ cidr: '2001:db8::/32' }] }, { ip: '2001:db8:1::1' }, true],
    ['what exists', { detail: { state: [{ exists: true }] } }, instance, true],
    ['what does not', { detail: { 'c-count': [{ exists: false }] } }, instance, true],
    ['what exists, of an object', { detail: [{ exists: true }] }, instance, false],
    [
      'text in any case',
      { 'detail-type': [{ 'equals-ignore-case': 'ec2 instance State-change notification' }] },
      instance,
      true,
    ],
    [
      'a wildcard',
      { EventBusArn: [{ wildcard: 'arn:aws:events:*:*:event-bus/*' }] },
      { EventBusArn: 'arn:aws:events:us-east-1:1:event-bus/a' },
      true,
    ],
    [
      'a wildcard that is escaped',
      { name: [{ wildcard: String.raw`a\*b\\*` }] },
      { name: String.raw`a*b\c` },
      true,
    ],
    [
      'several at once',
      {
        detail: {
          'c-count': [{ numeric: ['>', 0, '<=', 5] }],
          'd-count': [{ 'anything-but': [10] }],
          state: [{ 'anything-but': 'initializing' }, null],
        },
      },
      { detail: { 'c-count': 5, 'd-count': 9, state: null } },
      true,
    ],
    [
      'one of several fields',
      {
        detail: {
          $or: [
            { 'c-count': [{ numeric: ['>', 0, '<=', 5] }] },
            { 'd-count': [{ numeric: ['<', 10] }] },
            { 'x-limit': [{ numeric: ['=', 3.018e2] }] },
          ],
        },
      },
      { detail: { 'd-count': 9 } },
      true,
    ],
    ['none of several fields', { $or: [{ a: [1] }, { b: [2] }] }, { a: 2, b: 1 }, false],
    [
      'elements of a list that are objects: one has all',
      { items: { name: ['a'], price: [2] } },
      {
        items: [
          { name: 'a', price: 1 },
          { name: 'b', price: 2 },
        ],
      },
      false,
    ],
    [
      'a record of a stream',
      { eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['order', 'invoice'] } } } },
      { eventName: 'INSERT', dynamodb: { NewImage: { kind: { S: 'order' } } } },
      true,
    ],
  ])('%s', (_name, pattern, event, isMatch) => expect(matches(pattern, event)).toBe(isMatch))
})

/** The summary of its operators, and the pages on lists and on several operators: what matches, and what does not. */
describe('an operator of EventBridge', () => {
  const paths = { detail: { FilePath: '/usr/lib/x' } }
  const launch = {
    detail: {},
    resources: ['arn:aws:autoscaling:us-east-1:123456789012:autoScalingGroup:eb56d16b', 'arn:aws:ec2:i-b188560f'],
  }
  test.each<[string, object, object, object]>([
    [
      'And',
      { Location: ['New York'], Day: ['Monday'] },
      { Location: 'New York', Day: 'Monday' },
      { Day: 'Monday' },
    ],
    ['Anything-but', { state: [{ 'anything-but': 'initializing' }] }, { state: 'on' }, { state: 'initializing' }],
    ['Anything-but (number)', { limit: [{ 'anything-but': 123 }] }, { limit: 124 }, { limit: 123 }],
    ['Anything-but (numbers)', { limit: [{ 'anything-but': [100, 200] }] }, { limit: 150 }, { limit: 200 }],
    [
      'Anything-but (begins with)',
      { Region: [{ 'anything-but': { prefix: 'us-' } }] },
      { Region: 'eu-1' },
      { Region: 'us-1' },
    ],
    [
      'Anything-but (ends with)',
      { File: [{ 'anything-but': { suffix: '.png' } }] },
      { File: 'a.txt' },
      { File: 'a.png' },
    ],
    [
      'Anything-but (ignore case)',
      { s: [{ 'anything-but': { 'equals-ignore-case': 'initializing' } }] },
      { s: 'on' },
      { s: 'INITIALIZING' },
    ],
    [
      'Anything-but using a wildcard',
      { detail: { FilePath: [{ 'anything-but': { wildcard: '*/lib/*' } }] } },
      { detail: { FilePath: '/a' } },
      paths,
    ],
    ['Begins with', { Region: [{ prefix: 'us-' }] }, { Region: 'us-east-1' }, { Region: 'eu-us-1' }],
    [
      'Begins with (ignore case)',
      { service: [{ prefix: { 'equals-ignore-case': 'eventb' } }] },
      { service: 'EVENTBridge' },
      { service: 'bridge' },
    ],
    ['Empty', { LastName: [''] }, { LastName: '' }, { LastName: null }],
    ['Equals', { Name: ['Alice'] }, { Name: 'Alice' }, { Name: 'alice' }],
    ['Equals (ignore case)', { Name: [{ 'equals-ignore-case': 'alice' }] }, { Name: 'ALICE' }, { Name: 'Alicia' }],
    ['Ends with', { FileName: [{ suffix: '.png' }] }, { FileName: 'a.png' }, { FileName: 'a.png.txt' }],
    [
      'Ends with (ignore case)',
      { service: [{ suffix: { 'equals-ignore-case': 'tBridge' } }] },
      { service: 'eventBRIDGE' },
      { service: 'bridges' },
    ],
    ['Exists', { ProductName: [{ exists: true }] }, { ProductName: null }, { Product: 1 }],
    ['Does not exist', { ProductName: [{ exists: false }] }, { Product: 1 }, { ProductName: 'x' }],
    ['Not', { Weather: [{ 'anything-but': ['Raining'] }] }, { Weather: 'Sunny' }, { Weather: 'Raining' }],
    ['Null', { UserID: [null] }, { UserID: null }, { UserID: 'null' }],
    ['Numeric (equals)', { Price: [{ numeric: ['=', 100] }] }, { Price: 1e2 }, { Price: '100' }],
    ['Numeric (range)', { Price: [{ numeric: ['>', 10, '<=', 20] }] }, { Price: 20 }, { Price: 10 }],
    ['Or', { PaymentType: ['Credit', 'Debit'] }, { PaymentType: 'Debit' }, { PaymentType: 'Cash' }],
    [
      'Or (multiple fields)',
      { $or: [{ Location: ['New York'] }, { Day: ['Monday'] }] },
      { Day: 'Monday' },
      { Day: 'Friday' },
    ],
    ['Wildcard', { FileName: [{ wildcard: 'dir/*.png' }] }, { FileName: 'dir/a/b.png' }, { FileName: 'dir/a.jpg' }],
    ['IP addresses', { ip: [{ cidr: '10.0.0.0/24' }] }, { ip: '10.0.0.7' }, { ip: 'nowhere' }],
    ['Lists', { resources: ['arn:aws:ec2:i-b188560f', 'arn:aws:ec2:i-other'] }, launch, { resources: [] }],
    [
      'Several operators',
      {
        time: [{ prefix: '2017-10-02' }],
        detail: {
          state: [{ 'anything-but': 'initializing' }],
          'c-count': [{ numeric: ['>', 0, '<=', 5] }],
          'd-count': [{ numeric: ['<', 10] }],
          'x-limit': [{ 'anything-but': [100, 200, 300] }],
        },
      },
      { time: '2017-10-02T18', detail: { state: 'on', 'c-count': 1, 'd-count': 9, 'x-limit': 301.8 } },
      { time: '2017-10-02T18', detail: { state: 'on', 'c-count': 1, 'd-count': 9, 'x-limit': 300 } },
    ],
    [
      'Or within or, beside and',
      { source: ['aws'], detail: { $or: [{ a: [1] }, { $or: [{ b: [2] }, { c: [{ exists: false }], d: [4] }] }] } },
      { source: 'aws', detail: { d: 4 } },
      { source: 'aws', detail: { c: 1, d: 4 } },
    ],
    [
      'Lambda: a key',
      { dynamodb: { Keys: { Age: { N: ['5'] } } } },
      { dynamodb: { Keys: { Age: { N: '5' } } } },
      { dynamodb: { Keys: { Age: { N: '6' } } } },
    ],
    [
      'Lambda: data of Kinesis',
      { data: { City: ['Seattle'] } },
      { data: { City: 'Seattle' } },
      { data: 'Seattle' },
    ],
  ])('%s', (_name, pattern, matching, other) => {
    expect([matches(pattern, matching), matches(pattern, other)]).toEqual([true, false])
  })
})

test.each([
  '',
  '[]',
  '"a"',
  'null',
  '{"a":"b"}',
  '{"a":1}',
  '{"a":[]}',
  '{"a":[[1]]}',
  '{"a":[{"prefix":1}]}',
  '{"a":[{"unknown":1}]}',
  '{"a":[{"prefix":"x","suffix":"y"}]}',
  '{"a":[{"numeric":[">"]}]}',
  '{"a":[{"numeric":["<",1,">",2]}]}',
  '{"a":[{"numeric":[">",5,"<",1]}]}',
  '{"a":[{"numeric":["=",1e11]}]}',
  '{"a":[{"exists":"yes"}]}',
  '{"a":[{"cidr":"10.0.0.0/99"}]}',
  '{"a":[{"cidr":"nowhere"}]}',
  '{"a":[{"wildcard":"a**"}]}',
  '{"a":[{"anything-but":[]}]}',
  '{"a":[{"anything-but":["x",1]}]}',
  '{"a":[{"anything-but":{"exists":true}}]}',
])('%s is no pattern', (text) => expect(() => readPattern(text)).toThrow(PatternError))

test('a wildcard takes no time to speak of, whatever it is compared with', () => {
  const pattern = readPattern(JSON.stringify({ a: [{ wildcard: `${'*a'.repeat(500)}*b` }] }))
  expect(matchesPattern(pattern, { a: 'a'.repeat(100_000) })).toBe(false)
})

test('whatever is sent is a pattern or a PatternError, and matches or does not', () => {
  const operator = fc.constantFrom(
    'prefix',
    'suffix',
    'wildcard',
    'cidr',
    'numeric',
    'exists',
    'anything-but',
    'equals-ignore-case',
    '$or',
    '__proto__',
    'a',
  )
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('10.0.0.0/8', '<', '*'),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(operator, tie('any'), { maxKeys: 3 }),
    ),
  })).any
  fc.assert(
    fc.property(value, value, (pattern, event) => {
      try {
        expect(typeof matchesPattern(readPattern(JSON.stringify(pattern) ?? ''), event)).toBe('boolean')
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError)
      }
    }),
    { numRuns: 2_000 },
  )
})
