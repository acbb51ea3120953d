import { breathe, type Scope } from '@hashrange/engine'
import { documentsOf, principalOf } from '../identities/caller-policies.ts'
import type { Caller } from '../identities/principal.ts'
import type { CompiledPolicy, CompiledStatement } from '../policies/compile-policy.ts'
import type { ContextValue } from '../policies/context-values.ts'
import { evaluate, type AccessDecision } from '../policies/evaluate.ts'
import { PolicyCache } from '../policies/policy-cache.ts'
import type { Principal } from '../policies/principal.ts'
import { findSimulated } from './find-simulated.ts'
import { accountIn, nowOf, type IamContext } from './iam-context.ts'
import { assertPolicy, invalidInput } from './iam-errors.ts'
import { pageOf, type PageInput } from './page.ts'
import { statementPositions, type Extent } from './statement-positions.ts'

interface SimulateInput extends PageInput {
  readonly PolicyInputList?: readonly string[]
  readonly PermissionsBoundaryPolicyInputList?: readonly string[]
  readonly ActionNames: readonly string[]
  readonly ResourceArns?: readonly string[]
  readonly ResourcePolicy?: string
  readonly ResourceOwner?: string
  readonly CallerArn?: string
  readonly ContextEntries?: readonly ContextEntry[]
}

interface ContextEntry {
  readonly ContextKeyName?: string
  readonly ContextKeyValues?: readonly string[]
  readonly ContextKeyType?: string
}

/** A policy that is simulated, with what IAM calls it. */
interface Source {
  readonly id: string
  readonly type: string
  readonly text: string
  /** Where its statements stand, once that was asked for. */
  extents?: readonly Extent[]
}

const identityPolicies = new PolicyCache('identity', 200)
const resourcePolicies = new PolicyCache('resource', 200)

export async function simulateCustomPolicy(iam: IamContext, scope: Scope, input: SimulateInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { book } = iam.identities
  const caller = input.CallerArn === undefined ? undefined : findSimulated(book, account.accountId, input.CallerArn)
  return simulate(iam, input, caller, account.accountId, [], undefined)
}

export async function simulatePrincipalPolicy(
  iam: IamContext,
  scope: Scope,
  input: SimulateInput & { readonly PolicySourceArn: string },
): Promise<object> {
  const { accountId } = await accountIn(iam, scope)
  const { book } = iam.identities
  const source = findSimulated(book, accountId, input.PolicySourceArn)
  const { identity, boundary } = documentsOf(book, source)
  const caller = input.CallerArn === undefined ? source : findSimulated(book, accountId, input.CallerArn)
  const sources = identity.map(({ name, document }) => ({ id: name, type: 'IAM Policy', text: document }))
  return simulate(iam, input, caller, accountId, sources, boundary)
}

async function simulate(
  iam: IamContext,
  input: SimulateInput,
  caller: Caller | undefined,
  accountId: string,
  attached: readonly Source[],
  boundaryText: string | undefined,
): Promise<object> {
  assertBounded(input)
  const sources = [...attached, ...given(input.PolicyInputList ?? [], 'PolicyInputList')]
  const boundaryTexts =
    input.PermissionsBoundaryPolicyInputList ?? (boundaryText === undefined ? [] : [boundaryText])
  const boundaries = given(boundaryTexts, 'PermissionsBoundaryPolicyInputList')
  if (input.ResourcePolicy !== undefined) assertPolicy(input.ResourcePolicy, 'resource')
  const resourceSource: readonly Source[] =
    input.ResourcePolicy === undefined
      ? []
      : [{ id: 'ResourcePolicy', type: 'Resource Policy', text: input.ResourcePolicy }]
  const compiled = new Map<CompiledPolicy, Source>()
  const compile = (cache: PolicyCache, source: Source): CompiledPolicy => {
    const policy = cache.get(source.text)
    compiled.set(policy, source)
    return policy
  }
  const [boundary] = boundaries.map((source) => compile(identityPolicies, source))
  const [resourcePolicy] = resourceSource.map((source) => compile(resourcePolicies, source))
  const identity = sources.map((source) => compile(identityPolicies, source))
  const principal = caller === undefined ? anybody(accountId) : principalOf(caller)
  const context = contextOf(input.ContextEntries ?? [], principal, nowOf(iam))
  const questions = input.ActionNames.flatMap((action) =>
    (input.ResourceArns ?? ['*']).map((resource) => ({ action, resource })),
  )
  const { items, rest } = pageOf(questions.entries(), ([index]) => String(index).padStart(8, '0'), input)
  const results: object[] = []
  for (const [index, { action, resource }] of items) {
    // Each costs what all the policies together cost: other requests go in between.
    if (index % 20 === 19) await breathe()
    const decision = evaluate({
      principal,
      action: action.toLowerCase(),
      resource,
      resourceAccountId: ownerOf(input.ResourceOwner),
      context,
      policies: {
        identity,
        ...(boundary !== undefined && { boundary }),
        ...(resourcePolicy !== undefined && { resource: resourcePolicy }),
      },
    })
    results.push({
      EvalActionName: action,
      EvalResourceName: resource,
      EvalDecision: decisions[decision.outcome],
      MatchedStatements: decision.statements.map((statement) => describeStatement(statement, compiled)),
      MissingContextValues: missingKeys([...compiled.keys()], action.toLowerCase(), resource, context),
      ...(boundary !== undefined && { PermissionsBoundaryDecisionDetail: boundaryDetail(decision) }),
    })
  }
  return { EvaluationResults: results, ...rest }
}

const mostQuestions = 10_000
export const mostPolicyCharacters = 256 * 1024

/** What is asked for is a product of lists, each of which can be long. */
function assertBounded(input: SimulateInput): void {
  const { ActionNames: actions, ResourceArns: resources = ['*'] } = input
  if (actions.length * resources.length > mostQuestions) {
    throw invalidInput(`A simulation can combine at most ${mostQuestions} actions and resources.`)
  }
  const texts = [...(input.PolicyInputList ?? []), ...(input.PermissionsBoundaryPolicyInputList ?? [])]
  if (texts.reduce((sum, text) => sum + text.length, 0) > mostPolicyCharacters) {
    throw invalidInput(`The policies of a simulation can have at most ${mostPolicyCharacters} characters together.`)
  }
}

const decisions = { allowed: 'allowed', 'explicit-deny': 'explicitDeny', 'implicit-deny': 'implicitDeny' } as const

function given(texts: readonly string[], list: string): readonly Source[] {
  return texts.map((text, index) => {
    assertPolicy(text, 'identity')
    return { id: `${list}.${index + 1}`, type: 'IAM Policy', text }
  })
}

function describeStatement(
  { policy, index }: CompiledStatement,
  sources: ReadonlyMap<CompiledPolicy, Source>,
): object {
  const source = sources.get(policy)
  return {
    SourcePolicyId: source?.id,
    SourcePolicyType: source?.type,
    ...(source === undefined ? {} : (source.extents ??= statementPositions(source.text))[index]),
  }
}

function boundaryDetail({ outcome, by }: AccessDecision): object {
  return { AllowedByPermissionsBoundary: !(outcome !== 'allowed' && by === 'boundary') }
}

/** Nobody in particular, of the account that asks. */
export function anybody(accountId: string): Principal {
  return { kind: 'user', accountId, arn: `arn:aws:iam::${accountId}:user/`, userId: '', tags: {} }
}

function ownerOf(owner: string | undefined): string | undefined {
  if (owner === undefined) return undefined
  return owner.startsWith('arn:') ? owner.split(':')[4] : owner
}

/** What the request says of itself goes before what is known of the principal. */
function contextOf(
  entries: readonly ContextEntry[],
  principal: Principal,
  nowMs: number,
): ReadonlyMap<string, ContextValue> {
  const values = new Map<string, ContextValue>([
    ['aws:currenttime', new Date(nowMs).toISOString()],
    ['aws:epochtime', String(Math.floor(nowMs / 1000))],
    ['aws:principalaccount', principal.accountId],
  ])
  if (principal.userId !== '') {
    values.set('aws:principalarn', principal.roleArn ?? principal.arn)
    values.set('aws:userid', principal.userId)
    for (const [key, value] of Object.entries(principal.tags))
      values.set(`aws:principaltag/${key.toLowerCase()}`, value)
  }
  if (principal.userName !== undefined) values.set('aws:username', principal.userName)
  for (const { ContextKeyName: key = '', ContextKeyValues: texts = [], ContextKeyType: type = '' } of entries) {
    const [only] = texts
    values.set(key.toLowerCase(), type.endsWith('List') || only === undefined ? texts : only)
  }
  return values
}

function missingKeys(
  policies: readonly CompiledPolicy[],
  action: string,
  resource: string,
  context: ReadonlyMap<string, ContextValue>,
): readonly string[] {
  const keys = policies.flatMap((policy) => {
    const { allowances, denials } = policy.about(action, resource)
    return [...allowances, ...denials].flatMap(({ statement }) => statement.conditions.map(({ key }) => key))
  })
  return [...new Set(keys)].filter((key) => !context.has(key.toLowerCase()))
}
