/** Decides like AWS's flow chart, one box after the other, straight from the JSON of policies. Slow, simple, and written without a look at the
 *  evaluator that it is compared with. */

export interface NaiveRequest {
  readonly principal: NaivePrincipal
  readonly action: string
  readonly resource: string
  readonly resourceAccount: string
  readonly context: Readonly<Record<string, string | readonly string[]>>
}

export type NaivePrincipal =
  | { readonly is: 'root'; readonly account: string }
  | { readonly is: 'user'; readonly account: string; readonly userArn: string }
  | { readonly is: 'session'; readonly account: string; readonly roleArn: string; readonly sessionArn: string }

export interface NaivePolicies {
  readonly identity: readonly NaivePolicy[]
  readonly boundary?: NaivePolicy | undefined
  readonly session?: readonly NaivePolicy[] | undefined
  readonly resource?: NaivePolicy | undefined
}

export interface NaivePolicy {
  readonly Version?: string
  readonly Statement: readonly NaiveStatement[]
}

export interface NaiveStatement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal?: '*' | { readonly AWS: readonly string[] }
  readonly NotPrincipal?: { readonly AWS: readonly string[] }
  readonly Action?: readonly string[]
  readonly NotAction?: readonly string[]
  readonly Resource?: readonly string[]
  readonly NotResource?: readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

export type NaiveDecision = 'Allow' | 'ExplicitDeny' | 'ImplicitDeny'

export function decideNaively(request: NaiveRequest, policies: NaivePolicies): NaiveDecision {
  const everyPolicy = [
    ...policies.identity,
    ...(policies.boundary ? [policies.boundary] : []),
    ...(policies.session ?? []),
    ...(policies.resource ? [policies.resource] : []),
  ]
  // Box 1: "Is there an explicit deny?"
  for (const policy of everyPolicy) {
    for (const statement of policy.Statement) {
      if (statement.Effect === 'Deny' && isApplicable(policy, statement, request)) return 'ExplicitDeny'
    }
  }
  if (request.resourceAccount !== request.principal.account) {
    // Both accounts are asked, each by itself.
    const trusting = policies.resource !== undefined && grants(policies.resource, request).length > 0
    const trusted = request.principal.is === 'root' || passesOwnAccount(request, policies, false)
    return trusting && trusted ? 'Allow' : 'ImplicitDeny'
  }
  if (request.principal.is === 'root') return 'Allow'
  // Box 2: the resource-based policy.
  const granted = policies.resource === undefined ? [] : grants(policies.resource, request)
  if (granted.includes('user') || granted.includes('session')) return 'Allow'
  const standsIn = granted.includes('role') || granted.includes('anyone')
  return passesOwnAccount(request, policies, standsIn) ? 'Allow' : 'ImplicitDeny'
}

/** Boxes 3 to 5: identity-based policies, the permissions boundary, session policies. */
function passesOwnAccount(request: NaiveRequest, policies: NaivePolicies, granted: boolean): boolean {
  if (!granted && !policies.identity.some((policy) => allows(policy, request))) return false
  if (policies.boundary !== undefined && !allows(policies.boundary, request)) return false
  return policies.session === undefined || policies.session.some((policy) => allows(policy, request))
}

function allows(policy: NaivePolicy, request: NaiveRequest): boolean {
  return policy.Statement.some(
    (statement) => statement.Effect === 'Allow' && isApplicable(policy, statement, request),
  )
}

type GrantedTo = 'user' | 'session' | 'role' | 'anyone' | 'account'

/** To whom the statements that allow this request grant it. */
function grants(policy: NaivePolicy, request: NaiveRequest): readonly GrantedTo[] {
  const to: GrantedTo[] = []
  for (const statement of policy.Statement) {
    if (statement.Effect !== 'Allow' || !isApplicable(policy, statement, request)) continue
    const { principal } = request
    const names = statement.Principal === '*' || statement.Principal === undefined ? [] : statement.Principal.AWS
    if (principal.is === 'user' && names.includes(principal.userArn)) to.push('user')
    if (principal.is === 'session' && names.includes(principal.sessionArn)) to.push('session')
    if (principal.is === 'session' && names.includes(principal.roleArn)) to.push('role')
    if (statement.Principal === '*' || names.includes('*')) to.push('anyone')
    if (names.includes(principal.account) || names.includes(rootOf(principal.account))) to.push('account')
  }
  return to
}

function rootOf(account: string): string {
  return `arn:aws:iam::${account}:root`
}

function isApplicable(policy: NaivePolicy, statement: NaiveStatement, request: NaiveRequest): boolean {
  const knowsVariables = policy.Version === '2012-10-17'
  if (statement.Principal !== undefined && !isNamed(statement.Principal, request.principal)) return false
  if (statement.NotPrincipal !== undefined && isSpared(statement.NotPrincipal.AWS, request.principal)) return false
  const isAction = (pattern: string): boolean => wildcard(pattern.toLowerCase()).test(request.action.toLowerCase())
  if (statement.Action !== undefined && !statement.Action.some(isAction)) return false
  if (statement.NotAction !== undefined && statement.NotAction.some(isAction)) return false
  const isResource = (pattern: string): boolean => {
    const whole = pattern === '*' ? '*' : padded(pattern)
    const expression = knowsVariables ? withVariables(whole, request) : wildcard(whole)
    return expression !== undefined && expression.test(request.resource)
  }
  if (statement.Resource !== undefined && !statement.Resource.some(isResource)) return false
  if (statement.NotResource !== undefined && statement.NotResource.some(isResource)) return false
  for (const [operator, keys] of Object.entries(statement.Condition ?? {})) {
    for (const [key, values] of Object.entries(keys)) {
      if (!conditionHolds(operator, values, lookUp(request, key), request, knowsVariables)) return false
    }
  }
  return true
}

function isNamed(element: '*' | { readonly AWS: readonly string[] }, principal: NaivePrincipal): boolean {
  if (element === '*' || element.AWS.includes('*')) return true
  return chainOf(principal).some((names) => names.some((name) => element.AWS.includes(name)))
}

function isSpared(names: readonly string[], principal: NaivePrincipal): boolean {
  return (
    names.includes('*') ||
    chainOf(principal).every((alternatives) => alternatives.some((name) => names.includes(name)))
  )
}

/** The account, then the role, then the session; or the account and the user. */
function chainOf(principal: NaivePrincipal): readonly (readonly string[])[] {
  const account = [principal.account, rootOf(principal.account)]
  if (principal.is === 'root') return [account]
  if (principal.is === 'user') return [account, [principal.userArn]]
  return [account, [principal.roleArn], [principal.sessionArn]]
}

function conditionHolds(
  operator: string,
  wanted: readonly string[],
  sent: string | readonly string[] | undefined,
  request: NaiveRequest,
  knowsVariables: boolean,
): boolean {
  const quantifier = /^(ForAllValues|ForAnyValue):/.exec(operator)?.[1]
  const ifExists = operator.endsWith('IfExists')
  const name = operator.replace(/^(ForAllValues|ForAnyValue):/, '').replace(/IfExists$/, '')
  const isThere = sent !== undefined && sent.length > 0
  if (name === 'Null') return wanted.includes(isThere || sent === '' ? 'false' : 'true')
  const negated = name.includes('Not')
  const matches = (value: string): boolean =>
    wanted.some((text) => isMatch(name, text, value, request, knowsVariables))
  const satisfies = (value: string): boolean => (negated ? !matches(value) : matches(value))
  const values = sent === undefined ? [] : typeof sent === 'string' ? [sent] : sent
  const isEmpty = values.every((value) => value === '')
  if (quantifier === 'ForAllValues') return isEmpty || values.every(satisfies)
  if (quantifier === 'ForAnyValue') return isEmpty ? ifExists : values.some(satisfies)
  if (sent === undefined || values.length === 0) return ifExists || negated
  return negated ? values.every(satisfies) : values.some(satisfies)
}

function isMatch(
  name: string,
  wanted: string,
  sent: string,
  request: NaiveRequest,
  knowsVariables: boolean,
): boolean {
  const text = knowsVariables ? substituted(wanted, request) : wanted
  switch (name.replace('Not', '')) {
    case 'StringEquals':
      return text === sent
    case 'StringEqualsIgnoreCase':
      return text?.toLowerCase() === sent.toLowerCase()
    case 'StringLike': {
      const expression = knowsVariables ? withVariables(wanted, request) : wildcard(wanted)
      return expression !== undefined && expression.test(sent)
    }
    case 'Bool':
      return text?.toLowerCase() === sent.toLowerCase()
    case 'NumericEquals':
      return Number(wanted) === Number(sent)
    case 'NumericLessThan':
      return Number(sent) < Number(wanted)
    case 'NumericGreaterThanEquals':
      return Number(sent) >= Number(wanted)
    default:
      throw new Error(`no random test has ${name}`)
  }
}

function lookUp(request: NaiveRequest, key: string): string | readonly string[] | undefined {
  return Object.entries(request.context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1]
}

/** An ARN with too few parts means all of what is missing. */
function padded(pattern: string): string {
  const colons = pattern.replaceAll(/\$\{[^}]*\}/g, '').split(':').length - 1
  return pattern + ':*'.repeat(Math.max(0, 5 - colons))
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${Array.from(pattern, letterPattern).join('')}$`, 's')
}

function letterPattern(letter: string): string {
  if (letter === '*') return '.*'
  return letter === '?' ? '.' : escaped(letter)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** Wildcards of the policy are wildcards; those that a variable brings are not. */
function withVariables(pattern: string, request: NaiveRequest): RegExp | undefined {
  let expression = ''
  for (const part of pattern.split(/(\$\{[^}]*\})/)) {
    if (!part.startsWith('${')) expression += Array.from(part, letterPattern).join('')
    else {
      const value = valueOf(part, request)
      if (value === undefined) return undefined
      expression += escaped(value)
    }
  }
  return new RegExp(`^${expression}$`, 's')
}

function substituted(pattern: string, request: NaiveRequest): string | undefined {
  let text = ''
  for (const part of pattern.split(/(\$\{[^}]*\})/)) {
    const value = part.startsWith('${') ? valueOf(part, request) : part
    if (value === undefined) return undefined
    text += value
  }
  return text
}

function valueOf(variable: string, request: NaiveRequest): string | undefined {
  const inside = variable.slice(2, -1)
  if (['*', '?', '$'].includes(inside)) return inside
  const [key = '', standIn] = inside.split(', ')
  const value = lookUp(request, key)
  if (value === undefined) return standIn?.slice(1, -1)
  return typeof value === 'string' ? value : undefined
}
