import { ConditionFailure, ServiceError } from '@hashrange/core'
import { RawJson, StorageError } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { renderError } from './errors.ts'
import type { Logger } from './logger.ts'

const silent: Logger = { error: () => undefined }

test.each([
  ['ConditionalCheckFailedException', 'com.amazonaws.dynamodb.v20120810', 'message', 400],
  ['ResourceNotFoundException', 'com.amazonaws.dynamodb.v20120810', 'message', 400],
  ['ValidationException', 'com.amazon.coral.validate', 'message', 400],
  ['SerializationException', 'com.amazon.coral.service', 'Message', 400],
  ['TransactionCanceledException', 'com.amazonaws.dynamodb.v20120810', 'Message', 400],
  ['MissingAuthenticationTokenException', 'com.amazon.coral.service', 'message', 400],
  ['ThrottlingException', 'com.amazon.coral.availability', 'message', 400],
  ['InternalServerError', 'com.amazonaws.dynamodb.v20120810', 'message', 500],
])('%s is of %s and says its %s', (code, namespace, member, status) => {
  const rendered = renderError(new ServiceError(code, 'words'), silent)
  expect(rendered.status).toBe(status)
  expect(JSON.parse(rendered.body.toString())).toEqual({ __type: `${namespace}#${code}`, [member]: 'words' })
})

test('further members follow, stored items as they are, and the words of a failed condition were its Message', () => {
  const item = new RawJson(Buffer.from('{"pk":{"S":"é"}}'))
  const { body } = renderError(new ServiceError('ConditionalCheckFailedException', 'words', { Item: item }), silent)
  expect(JSON.parse(body.toString())).toMatchObject({ Message: 'words', Item: { pk: { S: 'é' } } })
  const today = renderError(new ConditionFailure('words', { Item: item }), silent)
  expect(JSON.parse(today.body.toString())).toEqual({
    __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
    message: 'words',
    Item: { pk: { S: 'é' } },
  })
})

test('a store that is away makes the service unavailable, and is told of once in a while', () => {
  const told: string[] = []
  const logger: Logger = { error: (message) => told.push(message) }
  for (let n = 0; n < 3; n++) {
    const rendered = renderError(new StorageError('unavailable', 'The database cannot be reached.'), logger)
    expect(rendered.status).toBe(503)
    expect(JSON.parse(rendered.body.toString())).toMatchObject({
      __type: 'com.amazonaws.dynamodb.v20120810#ServiceUnavailable',
    })
  }
  expect(told).toEqual(['hashrange: The database cannot be reached.'])
})

test('a disk that cannot be written is told of by its sentence, once in a while', () => {
  const told: unknown[][] = []
  const logger: Logger = { error: (...words) => told.push(words) }
  for (let n = 0; n < 3; n++) {
    const rendered = renderError(new StorageError('io', 'The data file cannot be written.'), logger)
    expect(rendered.status).toBe(500)
  }
  expect(told).toEqual([['hashrange: The data file cannot be written.']])
})

test('an error without words has no message', () => {
  const { body } = renderError(new ServiceError('UnknownOperationException', ''), silent)
  expect(body.toString()).toBe('{"__type":"com.amazon.coral.service#UnknownOperationException"}')
})

test('an unexpected error is logged in full and told in general', () => {
  const logged: unknown[] = []
  const failure = new Error('secret/path/data.mdb is corrupt')
  const rendered = renderError(failure, { error: (_, error) => logged.push(error) })
  expect(rendered.status).toBe(500)
  expect(rendered.body.toString()).not.toContain('secret')
  expect(logged).toEqual([failure])
})
