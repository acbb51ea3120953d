import { describe, expect, test } from 'vitest'
import { accessDenied } from './access-denied.ts'
import { compilePolicy, type CompiledPolicy } from './compile-policy.ts'
import { contextOf, type ContextValue } from './context-values.ts'
import { evaluate, type ApplicablePolicies } from './evaluate.ts'
import { parsePolicy } from './parse-policy.ts'
import type { Principal } from './principal.ts'

const account = '111122223333'
const table = `arn:aws:dynamodb:us-east-1:${account}:table/Music`

const ana: Principal = {
  kind: 'user',
  accountId: account,
  arn: `arn:aws:iam::${account}:user/ana`,
  userId: 'AIDAANA',
  userName: 'ana',
  tags: {},
}

const session: Principal = {
  kind: 'role-session',
  accountId: account,
  arn: `arn:aws:sts::${account}:assumed-role/reader/one`,
  userId: 'AROAREADER:one',
  roleArn: `arn:aws:iam::${account}:role/reader`,
  tags: {},
}

const root: Principal = {
  kind: 'root',
  accountId: account,
  arn: `arn:aws:iam::${account}:root`,
  userId: account,
  tags: {},
}

const allowsGet = identity({ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table })
const allowsPut = identity({ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: '*' })
const deniesGet = identity({ Effect: 'Deny', Action: 'dynamodb:Get*', Resource: '*' })

describe('within an account', () => {
  test('nothing is allowed that no policy allows', () => {
    expect(decide(ana, { identity: [] })).toEqual(['implicit-deny', 'identity'])
    expect(decide(ana, { identity: [allowsPut] })).toEqual(['implicit-deny', 'identity'])
  })

  test('an identity policy allows', () => {
    expect(decide(ana, { identity: [allowsPut, allowsGet] })).toEqual(['allowed', 'identity'])
  })

  test.each(['identity', 'boundary', 'session', 'resource'] as const)('a denial in the %s policy wins', (kind) => {
    const denial =
      kind === 'resource' ? resource({ Effect: 'Deny', Principal: '*', Action: '*', Resource: '*' }) : deniesGet
    const policies = {
      identity: kind === 'identity' ? [allowsGet, denial] : [allowsGet],
      ...(kind === 'boundary' ? { boundary: denial } : {}),
      ...(kind === 'session' ? { session: [denial] } : {}),
      ...(kind === 'resource' ? { resource: denial } : {}),
    }
    expect(decide(ana, policies)).toEqual(['explicit-deny', kind])
  })

  test('a boundary and a session policy limit what is allowed', () => {
    expect(decide(ana, { identity: [allowsGet], boundary: allowsPut })).toEqual(['implicit-deny', 'boundary'])
    expect(decide(ana, { identity: [allowsGet], boundary: allowsGet })).toEqual(['allowed', 'identity'])
    expect(decide(session, { identity: [allowsGet], session: [allowsPut] })).toEqual(['implicit-deny', 'session'])
    expect(decide(session, { identity: [allowsGet], session: [allowsPut, allowsGet] })).toEqual([
      'allowed',
      'identity',
    ])
  })

  test('what a resource policy grants to a user is not limited by its boundary', () => {
    const granted = grant({ AWS: ana.arn })
    expect(decide(ana, { identity: [], boundary: allowsPut, resource: granted })).toEqual(['allowed', 'resource'])
  })

  test('what it grants to a role is limited by boundary and session policy; to a session, by nothing', () => {
    const toRole = grant({ AWS: session.roleArn ?? '' })
    const toSession = grant({ AWS: session.arn })
    expect(decide(session, { identity: [], resource: toRole })).toEqual(['allowed', 'resource'])
    expect(decide(session, { identity: [], boundary: allowsPut, resource: toRole })).toEqual([
      'implicit-deny',
      'boundary',
    ])
    expect(decide(session, { identity: [], session: [allowsPut], resource: toRole })).toEqual([
      'implicit-deny',
      'session',
    ])
    const limited = { boundary: allowsPut, session: [allowsPut] }
    expect(decide(session, { identity: [], ...limited, resource: toSession })).toEqual(['allowed', 'resource'])
  })

  test('what it grants to the account is left to the identity policies', () => {
    for (const name of [account, root.arn]) {
      const granted = grant({ AWS: name })
      expect(decide(ana, { identity: [], resource: granted })).toEqual(['implicit-deny', 'identity'])
      expect(decide(ana, { identity: [allowsGet], resource: granted })).toEqual(['allowed', 'identity'])
    }
  })

  test('the root user needs no policy, and can be denied by the resource only', () => {
    expect(decide(root, { identity: [] })).toEqual(['allowed', 'root'])
    const denial = resource({ Effect: 'Deny', Principal: '*', Action: 'dynamodb:*', Resource: '*' })
    expect(decide(root, { identity: [], resource: denial })).toEqual(['explicit-deny', 'resource'])
  })
})

describe('between accounts', () => {
  const owner = '999988887777'

  test('both sides must allow', () => {
    const granted = grant({ AWS: ana.arn })
    expect(decide(ana, { identity: [allowsGet], resource: granted }, {}, owner)).toEqual(['allowed', 'resource'])
    expect(decide(ana, { identity: [], resource: granted }, {}, owner)).toEqual(['implicit-deny', 'identity'])
    expect(decide(ana, { identity: [allowsGet] }, {}, owner)).toEqual(['implicit-deny', 'resource'])
    expect(decide(ana, { identity: [allowsGet], boundary: allowsPut, resource: granted }, {}, owner)).toEqual([
      'implicit-deny',
      'boundary',
    ])
  })

  test('it is enough to grant to the account', () => {
    const granted = grant({ AWS: account })
    expect(decide(ana, { identity: [allowsGet], resource: granted }, {}, owner)).toEqual(['allowed', 'resource'])
    expect(decide(root, { identity: [], resource: granted }, {}, owner)).toEqual(['allowed', 'resource'])
    expect(decide(root, { identity: [] }, {}, owner)).toEqual(['implicit-deny', 'resource'])
  })
})

test('what is guarded lets in only whom its own policy names', () => {
  const asked = (principal: Principal, policies: ApplicablePolicies): readonly string[] => {
    const context = contextOf({})
    const { outcome, by } = evaluate({
      principal,
      action: 'dynamodb:getitem',
      resource: table,
      context,
      policies,
      isGuarded: true,
    })
    return [outcome, by]
  }
  const others = grant({ AWS: `arn:aws:iam::${account}:user/bob` })
  expect(asked(ana, { identity: [allowsGet], resource: others })).toEqual(['implicit-deny', 'resource'])
  expect(asked(root, { identity: [], resource: others })).toEqual(['implicit-deny', 'resource'])
  expect(asked(ana, { identity: [], resource: grant({ AWS: ana.arn }) })).toEqual(['allowed', 'resource'])
  // The account is trusted to decide: its users need a policy that lets them.
  expect(asked(ana, { identity: [], resource: grant({ AWS: account }) })).toEqual(['implicit-deny', 'identity'])
  expect(asked(ana, { identity: [allowsGet], resource: grant({ AWS: account }) })).toEqual(['allowed', 'identity'])
})

test('a refusal says what was asked for and which kind of policy refused', () => {
  const say = (policies: ApplicablePolicies): string =>
    accessDenied(ana, 'dynamodb:GetItem', table, ask(ana, policies)).message
  expect(say({ identity: [] })).toBe(
    `User: ${ana.arn} is not authorized to perform: dynamodb:GetItem on resource: ${table} because no identity-based policy allows the dynamodb:GetItem action`,
  )
  expect(say({ identity: [deniesGet] })).toMatch(/ with an explicit deny in an identity-based policy$/)
  expect(say({ identity: [allowsGet], boundary: allowsPut })).toMatch(
    / because no permissions boundary allows the dynamodb:GetItem action$/,
  )
})

function decide(
  principal: Principal,
  policies: ApplicablePolicies,
  context: Record<string, ContextValue> = {},
  resourceAccountId?: string,
): readonly string[] {
  const { outcome, by } = ask(principal, policies, context, resourceAccountId)
  return [outcome, by]
}

function ask(
  principal: Principal,
  policies: ApplicablePolicies,
  context: Record<string, ContextValue> = {},
  resourceAccountId?: string,
): ReturnType<typeof evaluate> {
  const action = 'dynamodb:getitem'
  return evaluate({ principal, action, resource: table, resourceAccountId, context: contextOf(context), policies })
}

function identity(statement: object): CompiledPolicy {
  return compilePolicy(parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: statement }), 'identity'))
}

function resource(statement: object): CompiledPolicy {
  return compilePolicy(parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: statement }), 'resource'))
}

function grant(principal: object): CompiledPolicy {
  return resource({ Effect: 'Allow', Principal: principal, Action: 'dynamodb:GetItem', Resource: table })
}
