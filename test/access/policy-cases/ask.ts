import type { KnownTables } from '@hashrange/access'
import {
  compilePolicy,
  parsePolicy,
  type AuthorizedRequest,
  type CompiledPolicy,
  type Principal,
} from '@hashrange/access/closed'
import {
  account,
  ana,
  gameRole,
  gameSession,
  region,
  type CaseGroup,
  type CaseRequest,
  type Policy,
} from './policy-case.ts'

export const caseScope = { accountId: account, region }

/** A request of a case, as the gate would ask for it. */
export function askedOf(
  group: CaseGroup,
  { operation, body }: CaseRequest,
  tables: KnownTables,
): AuthorizedRequest {
  return {
    facts: {
      principal: principalOf(group),
      region,
      isSecure: false,
      sourceIp: '127.0.0.1',
      nowMs: Date.UTC(2026, 10, 16),
      ...(group.as === 'session' && { tokenIssuedAtMs: Date.UTC(2026, 10, 15) }),
    },
    policies: {
      identity: group.identity.map(compile),
      ...(group.boundary && { boundary: compile(group.boundary) }),
      ...(group.session && { session: [compile(group.session)] }),
    },
    scope: caseScope,
    target: targetOf(operation),
    operation,
    body,
    tables,
  }
}

function targetOf(operation: string): string {
  return operation === 'ListStreams' ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
}

function principalOf({ as, tags = {} }: CaseGroup): Principal {
  return as === 'session'
    ? {
        kind: 'role-session',
        accountId: account,
        arn: gameSession,
        userId: 'AROAGAME:one',
        roleArn: gameRole,
        tags,
      }
    : { kind: 'user', accountId: account, arn: ana, userId: 'AIDAANA', userName: 'ana', tags }
}

function compile(policy: Policy): CompiledPolicy {
  return compilePolicy(parsePolicy(JSON.stringify(policy), 'identity'))
}
