import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ServiceError } from '@hashrange/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readResourcePolicy } from '../authorization/read-resource-policy.ts'
import { compilePolicy } from './compile-policy.ts'
import { contextOf } from './context-values.ts'
import { evaluate } from './evaluate.ts'
import { MalformedPolicy } from './malformed-policy.ts'
import { parsePolicy, type PolicyKind } from './parse-policy.ts'
import { conditionOperators } from './policy-document.ts'

const text = fc.oneof(
  fc.constantFrom(
    '*',
    '',
    'dynamodb:*',
    'arn:aws:dynamodb:*:*:table/x',
    '${aws:username}',
    '${',
    '${a, ',
    "${a, 'b'}",
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '\uFFFF',
    '\u0000',
    '2012-10-17',
    '1e999',
    '::::::',
    '0.0.0.0/99',
    '::/0',
  ),
  fc.string({ maxLength: 12 }),
)
const anything = fc.oneof(
  text,
  fc.constantFrom(null, true, 0, -1, 1e308),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 2 })), { maxKeys: 2 }),
  fc.jsonValue({ maxDepth: 3 }),
)
const operator = fc.oneof(
  fc.constantFrom(...conditionOperators),
  fc.constantFrom('ForAllValues:StringLike', 'ForAnyValue:', 'IfExists', 'stringEqualsIFEXISTS'),
  text,
)
const odd = fc.record(
  {
    Sid: fc.oneof(fc.constant('one'), anything),
    Effect: anything,
    Action: fc.oneof(text, anything),
    NotAction: anything,
    Resource: fc.oneof(text, anything),
    Principal: fc.oneof(fc.record({ AWS: fc.oneof(text, fc.array(text)) }), anything),
    NotPrincipal: anything,
    Condition: fc.oneof(
      fc.dictionary(operator, fc.dictionary(text, anything, { maxKeys: 2 }), { maxKeys: 2 }),
      anything,
    ),
  },
  { requiredKeys: [] },
)
const plain = fc.record({
  Effect: fc.constantFrom('Allow', 'Deny'),
  Action: fc.constantFrom('dynamodb:*', 'sts:AssumeRole'),
  Resource: fc.constant('*'),
  Condition: fc.dictionary(fc.constantFrom(...conditionOperators), fc.dictionary(text, text, { maxKeys: 2 }), {
    maxKeys: 2,
  }),
})
/** Like a policy in most of its parts, so that many get past the first checks. */
const statement = fc.oneof(
  plain,
  fc.tuple(plain, fc.constant({ Principal: { AWS: '111122223333' } })).map((parts) => Object.assign({}, ...parts)),
  fc.tuple(plain, odd).map((parts) => Object.assign({}, ...parts)),
)
const document = fc
  .record(
    {
      Version: fc.oneof(fc.constant('2012-10-17'), anything),
      Statement: fc.oneof(statement, fc.array(statement, { maxLength: 3 }), anything),
    },
    { requiredKeys: ['Statement'] },
  )
  .map((parsed) => JSON.stringify(parsed))
/** Cut, or with something put into it. */
const damaged = fc
  .tuple(document, fc.nat(400), fc.string({ maxLength: 3 }))
  .map(([whole, at, inserted]) => whole.slice(0, at) + inserted + whole.slice(at + inserted.length))
const sent = fc.oneof({ weight: 4, arbitrary: document }, damaged, fc.string(), text)

test('whatever is sent as a policy is refused as a policy, or can be evaluated', () => {
  const principal = { kind: 'user', accountId: '1', arn: 'a', userId: 'b', tags: {} } as const
  const context = contextOf({ 'aws:username': 'x', a: ['1', '0.0.0.0', ''] })
  let accepted = 0
  fc.assert(
    fc.property(sent, fc.constantFrom<PolicyKind>('identity', 'resource', 'trust'), (policy, kind) => {
      try {
        const compiled = compilePolicy(parsePolicy(policy, kind))
        accepted++
        const policies = kind === 'identity' ? { identity: [compiled] } : { identity: [], resource: compiled }
        evaluate({
          principal,
          action: 'dynamodb:getitem',
          resource: 'arn:aws:dynamodb:a:b:table/x',
          context,
          policies,
        })
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedPolicy)
      }
    }),
    { numRuns: 5000 },
  )
  expect(accepted).toBeGreaterThan(50)
})

test('whatever is sent as the policy of a table is refused by the service, or kept', () => {
  fc.assert(
    fc.property(sent, fc.constantFrom('table' as const, 'stream' as const), (policy, kind) => {
      try {
        const kept = readResourcePolicy(policy, kind)
        // What is kept can be put again, and stays as it is.
        expect(readResourcePolicy(kept, kind)).toBe(kept)
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError)
      }
    }),
    { numRuns: 3000 },
  )
})

test('what is remembered of a policy does not grow with what is asked of it', () => {
  const statement = { Effect: 'Allow', Action: '*', Resource: '*' }
  const text = JSON.stringify({ Version: '2012-10-17', Statement: Array.from({ length: 5_000 }, () => statement) })
  const policy = compilePolicy(parsePolicy(text, 'identity'))
  const beforeBytes = process.memoryUsage().heapUsed
  for (let number = 0; number < 1_000; number++) policy.about('dynamodb:getitem', `${number}`)
  expect(policy.about('dynamodb:getitem', 'x').allowances).toHaveLength(5_000)
  // A thousand times five thousand references would be forty megabytes, and more while arrays grow. Garbage counts too, until it is collected.
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  expect(process.memoryUsage().heapUsed - beforeBytes).toBeLessThan(20_000_000)
})
