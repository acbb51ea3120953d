import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../api/api.ts'
import { scopeKey, useCall } from '../../api/queries.ts'
import type { SignedInIdentity } from '../../api-types.ts'
import { useScope } from '../../state/scope.tsx'

/** A user, a group or a role, with the names of its policies. */
export interface PolicyHolder {
  readonly kind: 'user' | 'group' | 'role'
  readonly name: string
  readonly attached: readonly { readonly PolicyName: string; readonly PolicyArn: string }[]
  readonly inline: readonly string[]
}

interface Found {
  readonly holders: readonly PolicyHolder[]
  readonly boundary: string | undefined
  /** The first refusal: who may not read one of these usually may not read the others. */
  readonly error: unknown
}

const nothing: Found = { holders: [], boundary: undefined, error: undefined }

/** What applies to an identity, as far as it may read that through IAM. */
export function usePolicyHolders(signedIn: SignedInIdentity): Found & { readonly isLoading: boolean } {
  const call = useCall()
  const scope = useScope()
  const { data, isPending } = useQuery({
    queryKey: [scopeKey(scope), 'who-am-i', signedIn.arn],
    queryFn: () => find(call, signedIn),
  })
  return { ...(data ?? nothing), isLoading: isPending }
}

async function find(call: Call, { kind, name }: SignedInIdentity): Promise<Found> {
  const iam = <Output>(operation: string, input: object): Promise<Output> =>
    call<Output>(`AWSIdentityManagementV20100508.${operation}`, input)
  let error: unknown
  const attempt = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work
    } catch (refused) {
      error ??= refused
      return undefined
    }
  }
  const holderOf = async (of: PolicyHolder['kind'], holder: string): Promise<PolicyHolder[]> => {
    const word = words[of]
    const input = { [`${word}Name`]: holder }
    const attached = await attempt(iam<Attached>(`ListAttached${word}Policies`, input))
    const inline = await attempt(iam<Inline>(`List${word}Policies`, input))
    if (attached === undefined && inline === undefined) return []
    return [
      { kind: of, name: holder, attached: attached?.AttachedPolicies ?? [], inline: inline?.PolicyNames ?? [] },
    ]
  }
  if (kind === 'role') {
    const about = await attempt(iam<{ Role: WithBoundary }>('GetRole', { RoleName: name }))
    return { holders: await holderOf('role', name), boundary: boundaryOf(about?.Role), error }
  }
  const about = await attempt(iam<{ User: WithBoundary }>('GetUser', { UserName: name }))
  const groups = await attempt(
    iam<{ Groups: readonly { GroupName: string }[] }>('ListGroupsForUser', { UserName: name }),
  )
  const holders = await holderOf('user', name)
  for (const { GroupName } of groups?.Groups ?? []) holders.push(...(await holderOf('group', GroupName)))
  return { holders, boundary: boundaryOf(about?.User), error }
}

interface Attached {
  readonly AttachedPolicies: PolicyHolder['attached']
}

interface Inline {
  readonly PolicyNames: readonly string[]
}

interface WithBoundary {
  readonly PermissionsBoundary?: { readonly PermissionsBoundaryArn?: string }
}

function boundaryOf(about: WithBoundary | undefined): string | undefined {
  return about?.PermissionsBoundary?.PermissionsBoundaryArn
}

const words = { user: 'User', group: 'Group', role: 'Role' } as const
