import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mistakeIn } from './check-config.ts'
import { configSchema } from './config-schema.ts'

const schemaFile = new URL('../../hashrange.config.schema.json', import.meta.url)

test('the file for editors is the schema that the command checks by', () => {
  expect(JSON.parse(readFileSync(schemaFile, 'utf8'))).toEqual(configSchema)
})

test('a whole configuration has no mistakes', () => {
  const config = {
    $schema: './node_modules/hashrange/hashrange.config.schema.json',
    functions: { a: 'a.handler', b: { command: ['./b'], timeout: 3, environment: { X: 'y' } } },
    triggers: [
      { stream: 'clicks', function: 'b' },
      { table: 'Orders', function: 'a', batchSize: 10, filters: [{ eventName: ['INSERT'] }] },
    ],
    connections: { prod: 'aws:prod', other: { endpoint: 'http://x', colour: 'teal', writing: undefined } },
    region: 'us-east-1',
    replicate: { 'eu-west-1': 'https://eu' },
    daxPort: 0,
    daxRecordTtlMs: 0,
    daxQueryTtlMs: 1000,
    daxCacheMb: 1,
  }
  expect(mistakeIn(configSchema, config)).toBeUndefined()
  expect(mistakeIn(configSchema, {})).toBeUndefined()
})

test.each([
  [{ function: {} }, 'There is no setting "function"; did you mean "functions"?'],
  [{ triggers: { table: 'a' } }, '"triggers" must be a list.'],
  [{ triggers: [{ table: 'a' }] }, '"triggers[0]" needs "function".'],
  [
    { triggers: [{ table: 'a', function: 'b', batchsize: 1 }] },
    'There is no setting "triggers[0].batchsize"; did you mean "batchSize"?',
  ],
  [
    { triggers: [{ table: 'a', function: 'b', batchSize: 0 }] },
    '"triggers[0].batchSize" must be between 1 and 10000.',
  ],
  [{ daxPort: 65_536 }, '"daxPort" must be between 0 and 65535.'],
  [{ daxport: 1 }, 'did you mean "daxPort"?'],
  [{ functions: { a: 1 } }, '"functions.a" must be a string or an object.'],
  [{ functions: { a: { timeout: 1.5 } } }, '"functions.a.timeout" must be a whole number.'],
  [{ connections: { a: { writing: 'allow' } } }, 'did you mean "allowed"?'],
  [JSON.parse('{ "__proto__": {} }'), 'There is no setting "__proto__"'],
  [{ constructor: 1 }, 'There is no setting "constructor"'],
  [[], 'It must be an object.'],
  [null, 'It must be an object.'],
])('%j: %s', (config, sentence) => {
  expect(mistakeIn(configSchema, config)).toContain(sentence)
})
