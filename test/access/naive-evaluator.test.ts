import {
  compilePolicy,
  contextOf,
  evaluate,
  parsePolicy,
  type AccessDecision,
  type CompiledPolicy,
  type Principal,
} from '@hashrange/access/closed'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decideNaively,
  type NaivePolicies,
  type NaivePolicy,
  type NaivePrincipal,
  type NaiveRequest,
} from './naive-evaluator.ts'

const [here, there] = ['111111111111', '222222222222'] as const
const userArn = `arn:aws:iam::${here}:user/ana`
const roleArn = `arn:aws:iam::${here}:role/game`
const sessionArn = `arn:aws:sts::${here}:assumed-role/game/one`

const principals: readonly NaivePrincipal[] = [
  { is: 'user', account: here, userArn },
  { is: 'session', account: here, roleArn, sessionArn },
  { is: 'root', account: here },
]

const some = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const list = <T>(of: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(of, { minLength: 1, maxLength })

const action = some('dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query')
const actionPattern = some(
  '*',
  'dynamodb:*',
  'dynamodb:Get*',
  'dynamodb:*Item',
  'DynamoDB:query',
  'dynamodb:?utItem',
  's3:*',
)
const resource = some(here, there).chain((account) =>
  some('a', 'ab', 'ana', '*').map((name) => `arn:aws:dynamodb:eu-west-1:${account}:table/${name}`),
)
const resourcePattern = some(
  '*',
  'arn:aws:dynamodb',
  `arn:aws:dynamodb:*:${here}:table/a`,
  'arn:aws:dynamodb:eu-west-1:*:table/a*',
  'arn:aws:dynamodb:*:*:table/?',
  'arn:aws:dynamodb:*:*:table/${aws:username}',
  "arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/t, 'ab'}*",
  'arn:aws:dynamodb:*:*:table/${*}',
)
const value = some('', 'a', 'A', 'ab', 'b', 'ana', '1', '10', 'true')
const key = some('aws:username', 'aws:PrincipalTag/t', 'aws:principaltag/T', 'dynamodb:LeadingKeys', 'x:y')
const wanted = fc.oneof(
  value,
  some('a*', '*', '?', 'a?', '**a**', '${aws:username}', 'a${x:y}', "${x:y, 'b'}*", '${$}'),
)
const operatorName = some(
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
  'Bool',
)
const operator = fc
  .tuple(some('', '', 'ForAllValues:', 'ForAnyValue:'), operatorName, some('', '', 'IfExists'))
  .map((parts) => parts.join(''))
const condition = fc.oneof(
  fc.tuple(operator, key, list(wanted)),
  fc.tuple(
    some('NumericEquals', 'NumericLessThanIfExists', 'NumericGreaterThanEquals'),
    fc.constant('x:n'),
    list(some('1', '5', '10')),
  ),
  fc.tuple(fc.constant('Null'), key, list(some('true', 'false'), 1)),
)
const conditions = fc
  .array(condition, { maxLength: 2 })
  .map((all) => Object.fromEntries(all.map(([name, on, values]) => [name, { [on]: values }])))

const context = fc.record(
  {
    'aws:username': value,
    'aws:PrincipalTag/t': value,
    'dynamodb:LeadingKeys': fc.array(value, { maxLength: 3 }),
    'x:y': value,
    'x:n': some('1', '5', '7', '10'),
  },
  { requiredKeys: [] },
)

const principalName = some('*', here, there, `arn:aws:iam::${here}:root`, userArn, roleArn, sessionArn)
const principalElement = fc.oneof(
  fc.constant({ Principal: '*' as const }),
  list(principalName).map((AWS) => ({ Principal: { AWS } })),
)

const actions = fc.oneof(
  list(actionPattern).map((Action) => ({ Action })),
  list(actionPattern, 1).map((NotAction) => ({ NotAction })),
)
const resources = fc.oneof(
  list(resourcePattern).map((Resource) => ({ Resource })),
  list(resourcePattern, 1).map((NotResource) => ({ NotResource })),
)
const body = fc
  .tuple(actions, resources, conditions)
  .map(([about, where, Condition]) => ({ ...about, ...where, Condition }))
const effect = some('Allow' as const, 'Allow' as const, 'Allow' as const, 'Deny' as const)
const version = some('2012-10-17', '2012-10-17', '2008-10-17')

const identityPolicy: fc.Arbitrary<NaivePolicy> = fc.record({
  Version: version,
  Statement: list(fc.tuple(effect, body).map(([Effect, rest]) => ({ Effect, ...rest }))),
})
const spared = list(principalName, 4).map((AWS) => ({ NotPrincipal: { AWS } }))
const resourcePolicy: fc.Arbitrary<NaivePolicy> = fc.record({
  Version: version,
  Statement: list(
    fc.oneof(
      fc.tuple(effect, principalElement, body).map(([Effect, who, rest]) => ({ Effect, ...who, ...rest })),
      fc.tuple(spared, body).map(([who, rest]) => ({ Effect: 'Deny' as const, ...who, ...rest })),
    ),
  ),
})

const policies: fc.Arbitrary<NaivePolicies> = fc.record(
  {
    identity: fc.array(identityPolicy, { maxLength: 2 }),
    boundary: identityPolicy,
    session: list(identityPolicy, 2),
    resource: resourcePolicy,
  },
  { requiredKeys: ['identity'] },
)

const request: fc.Arbitrary<NaiveRequest> = fc
  .record({ principal: some(...principals), action, resource, context })
  .map((asked) => ({ ...asked, resourceAccount: asked.resource.split(':')[4] ?? '' }))

test('the evaluator decides as the flow chart does', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(request, policies, (asked, given) => {
      const expected = decideNaively(asked, given)
      const decision = decide(asked, given)
      seen.set(`${expected} ${decision.by}`, (seen.get(`${expected} ${decision.by}`) ?? 0) + 1)
      expect(words[decision.outcome]).toBe(expected)
    }),
    { numRuns: 6000 },
  )
  // All ways to decide were met, or the test proves little.
  const ways = ['Allow identity', 'Allow resource', 'Allow root', 'ExplicitDeny identity', 'ExplicitDeny resource']
  const refusals = ['identity', 'boundary', 'session', 'resource'].map((by) => `ImplicitDeny ${by}`)
  for (const way of [...ways, ...refusals]) expect([way, seen.get(way) ?? 0]).not.toEqual([way, 0])
})

const words = { allowed: 'Allow', 'explicit-deny': 'ExplicitDeny', 'implicit-deny': 'ImplicitDeny' } as const

function decide(asked: NaiveRequest, given: NaivePolicies): AccessDecision {
  return evaluate({
    principal: principalOf(asked.principal),
    action: asked.action.toLowerCase(),
    resource: asked.resource,
    resourceAccountId: asked.resourceAccount,
    context: contextOf(asked.context),
    policies: {
      identity: given.identity.map((policy) => compile(policy, 'identity')),
      ...(given.boundary && { boundary: compile(given.boundary, 'identity') }),
      ...(given.session && { session: given.session.map((policy) => compile(policy, 'identity')) }),
      ...(given.resource && { resource: compile(given.resource, 'resource') }),
    },
  })
}

function compile(policy: NaivePolicy, kind: 'identity' | 'resource'): CompiledPolicy {
  return compilePolicy(parsePolicy(JSON.stringify(policy), kind))
}

function principalOf(principal: NaivePrincipal): Principal {
  const { account: accountId } = principal
  switch (principal.is) {
    case 'root':
      return { kind: 'root', accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId, tags: {} }
    case 'user':
      return { kind: 'user', accountId, arn: userArn, userId: 'AIDA', userName: 'ana', tags: {} }
    case 'session':
      return { kind: 'role-session', accountId, arn: sessionArn, roleArn, userId: 'AROA:one', tags: {} }
  }
}
