import { account, allow, ana, deny, get, policy, type CaseGroup, type Expected } from './policy-case.ts'

type Tags = Readonly<Record<string, string>>

/** The operators of conditions, tried on tags of the principal, whose values can be chosen. From "IAM JSON policy elements: Condition operators". */
export const conditionCases: readonly CaseGroup[] = [
  ...operator('StringEquals', [
    ['equal', 'red', 'red', true],
    ['another', 'red', 'blue', false],
    ['case matters', 'red', 'Red', false],
    ['one of several', ['blue', 'red'], 'red', true],
    ['none of several', ['blue', 'green'], 'red', false],
    ['a star is a star', 'r*', 'red', false],
    ['missing', 'red', undefined, false],
    ['a variable', '${aws:username}', 'ana', true],
    ['a variable without a value', '${aws:PrincipalTag/other}', 'red', false],
    ['a variable with a default', "${aws:PrincipalTag/other, 'red'}", 'red', true],
    ['a variable in a text', 'is-${aws:username}-is', 'is-ana-is', true],
    ['the case of a variable does not matter', '${AWS:UserName}', 'ana', true],
    ['a literal dollar', '${$}', 'red', false],
  ]),
  ...operator('StringNotEquals', [
    ['another', 'red', 'blue', true],
    ['equal', 'red', 'red', false],
    ['none of several', ['blue', 'green'], 'red', true],
    ['one of several', ['blue', 'red'], 'red', false],
    ['missing', 'red', undefined, true],
    ['a variable without a value', '${aws:PrincipalTag/other}', 'red', true],
  ]),
  ...operator('StringEqualsIgnoreCase', [
    ['in another case', 'rED', 'Red', true],
    ['another', 'red', 'blue', false],
  ]),
  ...operator('StringNotEqualsIgnoreCase', [
    ['in another case', 'rED', 'Red', false],
    ['another', 'red', 'blue', true],
    ['missing', 'red', undefined, true],
  ]),
  ...operator('StringLike', [
    ['a prefix', 're*', 'red', true],
    ['a suffix', '*ed', 'red', true],
    ['a single character', 'r?d', 'red', true],
    ['too few characters', 'r??d', 'red', false],
    ['case matters', 'R*', 'red', false],
    ['anything', '*', 'red', true],
    ['anything, of nothing', '*', undefined, false],
    ['both ends and the middle', 'a*b*c', 'axxbyyc', true],
    ['in the wrong order', 'a*c*b', 'axxbyyc', false],
    ['overlapping ends', 'aba*aba', 'aba', false],
    ['a variable and a star', '${aws:username}-*', 'ana-1', true],
  ]),
  ...operator('StringNotLike', [
    ['a prefix', 're*', 'red', false],
    ['another', 'bl*', 'red', true],
    ['missing', 're*', undefined, true],
  ]),
  ...operator('NumericEquals', [
    ['equal', '10', '10.0', true],
    ['another', '10', '11', false],
    ['no number', '10', 'ten', false],
    ['a number in the policy', 10, '10', true],
  ]),
  ...operator('NumericNotEquals', [
    ['another', '10', '11', true],
    ['equal', '10', '1e1', false],
  ]),
  ...operator('NumericLessThan', [
    ['less', '10', '9.5', true],
    ['equal', '10', '10', false],
    ['as numbers, not as texts', '10', '9', true],
    ['negative', '0', '-1', true],
  ]),
  ...operator('NumericLessThanEquals', [
    ['equal', '10', '10', true],
    ['more', '10', '10.001', false],
  ]),
  ...operator('NumericGreaterThan', [
    ['more', '10', '11', true],
    ['equal', '10', '10', false],
    ['missing', '10', undefined, false],
  ]),
  ...operator('NumericGreaterThanEquals', [['equal', '10', '10', true]]),
  ...operator('DateEquals', [
    ['the same moment in another zone', '2026-11-16T12:00:00Z', '2026-11-16T13:00:00+01:00', true],
    ['seconds since 1970', '1000', '1970-01-01T00:16:40Z', true],
    ['another moment', '2026-11-16T12:00:00Z', '2026-11-16T12:00:01Z', false],
  ]),
  ...operator('DateNotEquals', [['another day', '2026-11-16', '2026-11-17', true]]),
  ...operator('DateLessThan', [
    ['before', '2026-11-16T12:00:00Z', '2026-11-16', true],
    ['at the moment', '2026-11-16T12:00:00Z', '2026-11-16T12:00:00Z', false],
    ['no date', '2026-11-16T12:00:00Z', 'soon', false],
  ]),
  ...operator('DateLessThanEquals', [['at the moment', '2026-11-16T12:00:00Z', '2026-11-16T12:00:00Z', true]]),
  ...operator('DateGreaterThan', [
    ['after', '2026-11-16', '2026-11-16T00:00:01Z', true],
    ['before', '2026-11-16', '2025-11-16', false],
  ]),
  ...operator('DateGreaterThanEquals', [['at the moment', '2026-11-16', '2026-11-16T00:00:00Z', true]]),
  ...operator('Bool', [
    ['true', 'true', 'true', true],
    ['false', 'false', 'true', false],
    ['a boolean in the policy', true, 'true', true],
    ['case does not matter', 'True', 'true', true],
    ['missing', 'false', undefined, false],
  ]),
  ...operator('BinaryEquals', [
    ['the same bytes', 'QmluYXJ5', 'QmluYXJ5', true],
    ['others', 'QmluYXJ5', 'QmluYXJ6', false],
  ]),
  ...operator('IpAddress', [
    ['in the range', '203.0.113.0/24', '203.0.113.77', true],
    ['beside the range', '203.0.113.0/24', '203.0.114.1', false],
    ['one address', '203.0.113.7', '203.0.113.7', true],
    ['one of several', ['2001:DB8:1234:5678::/64', '203.0.113.0/24'], '2001:db8:1234:5678::1', true],
    ['another family', '203.0.113.0/24', '2001:db8::1', false],
    ['everything', '0.0.0.0/0', '10.1.2.3', true],
    ['no address', '0.0.0.0/0', 'here', false],
  ]),
  ...operator('NotIpAddress', [
    ['beside the range', '203.0.113.0/24', '10.1.2.3', true],
    ['in the range', '203.0.113.0/24', '203.0.113.77', false],
    ['missing', '203.0.113.0/24', undefined, true],
  ]),
  ...operator('ArnEquals', [
    ['the same', ana, ana, true],
    ['a wildcard in a part', `arn:aws:iam::*:user/*`, ana, true],
    [
      'no wildcard reaches over a colon',
      'arn:aws:some:*:111122223333:finance/*',
      'arn:aws:some:us-east-2:999999999999:store/abc:111122223333:finance/document.txt',
      false,
    ],
    ['case matters', `arn:aws:iam::${account}:user/Ana`, ana, false],
    ['no ARN', '*', 'ana', false],
  ]),
  ...operator('ArnLike', [['like ArnEquals', `arn:aws:iam::${account}:user/a??`, ana, true]]),
  ...operator('ArnNotEquals', [
    ['another', `arn:aws:iam::${account}:user/bob`, ana, true],
    ['missing', ana, undefined, true],
  ]),
  ...operator('ArnNotLike', [['the same', `arn:aws:iam::${account}:user/*`, ana, false]]),
  ...operator('Null', [
    ['absent, and wanted so', 'true', undefined, true],
    ['there, and wanted absent', 'true', 'red', false],
    ['there, and wanted so', 'false', 'red', true],
    ['absent, and wanted there', false, undefined, false],
  ]),
  ...operator('StringEqualsIfExists', [
    ['missing', 'red', undefined, true],
    ['equal', 'red', 'red', true],
    ['another', 'red', 'blue', false],
  ]),
  ...operator('NumericLessThanIfExists', [
    ['missing', '10', undefined, true],
    ['more', '10', '11', false],
  ]),
  ...operator('IpAddressIfExists', [['missing', '10.0.0.0/8', undefined, true]]),
  ...operator('ForAllValues:StringEquals', [
    ['missing', 'red', undefined, true],
    ['another', 'red', 'blue', false],
  ]),
  ...operator('ForAnyValue:StringEquals', [
    ['missing', 'red', undefined, false],
    ['equal', ['red', 'blue'], 'blue', true],
  ]),
  ...operator('ForAnyValue:StringNotEquals', [
    ['missing', 'red', undefined, false],
    ['another', 'red', 'blue', true],
  ]),
  ...operator('ForAllValues:StringNotEquals', [
    ['missing', 'red', undefined, true],
    ['equal', 'red', 'red', false],
  ]),
  {
    about: 'several operators and keys all have to hold',
    tags: { team: 'red', level: '7' },
    identity: [
      policy(
        allow('dynamodb:GetItem', '*', {
          StringEquals: { 'aws:PrincipalTag/team': 'red', 'aws:PrincipalAccount': account },
          NumericGreaterThan: { 'aws:PrincipalTag/level': '5' },
        }),
      ),
    ],
    requests: [['they do', get(), 'allowed']],
  },
  {
    about: 'one of them does not',
    tags: { team: 'red', level: '5' },
    identity: [
      policy(
        allow('dynamodb:GetItem', '*', {
          StringEquals: { 'aws:PrincipalTag/team': 'red' },
          NumericGreaterThan: { 'aws:PrincipalTag/level': '5' },
        }),
      ),
    ],
    requests: [['the level', get(), 'implicit-deny']],
  },
  ...global({
    'the account': [{ StringEquals: { 'aws:PrincipalAccount': account } }, 'allowed'],
    'the ARN': [{ ArnLike: { 'aws:PrincipalArn': `arn:aws:iam::${account}:user/*` } }, 'allowed'],
    'the type': [{ StringEquals: { 'aws:PrincipalType': 'User' } }, 'allowed'],
    'the name': [{ StringLike: { 'aws:username': 'a*' } }, 'allowed'],
    'the id, which begins as all ids of users do': [{ StringLike: { 'aws:userid': 'AIDA*' } }, 'allowed'],
    'the address': [{ IpAddress: { 'aws:SourceIp': ['127.0.0.0/8', '::1'] } }, 'allowed'],
    'another address': [{ IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } }, 'implicit-deny'],
    'without TLS': [{ Bool: { 'aws:SecureTransport': 'false' } }, 'allowed'],
    'the time': [{ DateGreaterThan: { 'aws:CurrentTime': '2020-04-01T00:00:00Z' } }, 'allowed'],
    'a time that has passed': [{ DateLessThan: { 'aws:CurrentTime': '2020-06-30T23:59:59Z' } }, 'implicit-deny'],
    'the time in seconds': [{ NumericGreaterThan: { 'aws:EpochTime': '1500000000' } }, 'allowed'],
    'the region': [{ StringEquals: { 'aws:RequestedRegion': 'us-west-2' } }, 'allowed'],
    'on nobody’s behalf': [{ Bool: { 'aws:ViaAWSService': 'false' } }, 'allowed'],
    'a key of its own, no session': [{ Null: { 'aws:TokenIssueTime': 'true' } }, 'allowed'],
    'a second factor, where that is unknown': [{ Bool: { 'aws:MultiFactorAuthPresent': 'true' } }, 'implicit-deny'],
    'a key that nobody knows': [{ StringEquals: { 'aws:Nonsense': 'x' } }, 'implicit-deny'],
    'the case of a key does not matter': [{ StringEquals: { 'AWS:PRINCIPALACCOUNT': account } }, 'allowed'],
  }),
  {
    about:
      'denied without a second factor (IAM User Guide, "Allows MFA-authenticated users to manage credentials")',
    identity: [
      policy(
        allow('dynamodb:*'),
        deny('dynamodb:PutItem', '*', { BoolIfExists: { 'aws:MultiFactorAuthPresent': 'false' } }),
      ),
    ],
    requests: [['another action', get(), 'allowed']],
  },
]

type Tried = readonly [what: string, wanted: unknown, sent: string | undefined, holds: boolean]

/** One group for each value of the tag: what is allowed depends on it alone. */
function operator(name: string, tried: readonly Tried[]): readonly CaseGroup[] {
  return tried.map(([what, wanted, sent, holds]) => {
    const tags: Tags = sent === undefined ? {} : { probe: sent }
    return {
      about: `${name}: ${what}`,
      tags,
      identity: [policy(allow('dynamodb:GetItem', '*', { [name]: { 'aws:PrincipalTag/probe': wanted } }))],
      requests: [[JSON.stringify(wanted), get(), holds ? 'allowed' : 'implicit-deny']],
    }
  })
}

function global(conditions: Readonly<Record<string, readonly [object, Expected]>>): readonly CaseGroup[] {
  return Object.entries(conditions).map(([what, [condition, expected]]) => ({
    about: `global keys: ${what}`,
    identity: [policy(allow('dynamodb:GetItem', '*', condition))],
    requests: [['get', get(), expected]],
  }))
}
