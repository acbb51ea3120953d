import type { Scope } from '@hashrange/engine'
import { awsManagedPolicies } from '../identities/aws-managed-policies.ts'
import type { Account } from '../identities/identity-book.ts'
import type { Holder } from './holders.ts'
import { accountIn, type IamContext } from './iam-context.ts'
import { requireOwnPolicy } from './own-policy.ts'
import { isBelow, pageOf, type PageInput } from './page.ts'

/** Who has a managed policy: attached, or as a boundary. */
export function holdersIn(
  account: Account,
  arn: string,
): { readonly attached: readonly Holder[]; readonly bounded: readonly Holder[] } {
  const holders: Holder[] = [...account.users.values(), ...account.groups.values(), ...account.roles.values()]
  return {
    attached: holders.filter((holder) => holder.attached.includes(arn)),
    bounded: holders.filter((holder) => holder.kind !== 'group' && holder.boundary === arn),
  }
}

interface ListEntitiesInput extends PageInput {
  readonly PolicyArn: string
  readonly EntityFilter?: string
  readonly PolicyUsageFilter?: 'PermissionsPolicy' | 'PermissionsBoundary'
}

const filters: Readonly<Record<string, Holder['kind']>> = { User: 'user', Group: 'group', Role: 'role' }

export async function listEntitiesForPolicy(
  iam: IamContext,
  scope: Scope,
  input: ListEntitiesInput,
): Promise<object> {
  const account = await accountIn(iam, scope)
  const { PolicyArn: arn, EntityFilter: filter, PolicyUsageFilter: usage } = input
  if (!awsManagedPolicies.has(arn)) requireOwnPolicy(account, arn)
  const { attached, bounded } = holdersIn(account, arn)
  const using =
    usage === 'PermissionsBoundary'
      ? bounded
      : usage === undefined
        ? [...new Set([...attached, ...bounded])]
        : attached
  const kind = filter === undefined ? undefined : filters[filter]
  const wanted = using.filter((holder) => (filter === undefined || holder.kind === kind) && isBelow(input)(holder))
  const { items, rest } = pageOf(wanted, (holder) => `${holder.kind}/${holder.name}`, input)
  return {
    PolicyGroups: items.filter(isKind('group')).map(({ name, id }) => ({ GroupName: name, GroupId: id })),
    PolicyUsers: items.filter(isKind('user')).map(({ name, id }) => ({ UserName: name, UserId: id })),
    PolicyRoles: items.filter(isKind('role')).map(({ name, id }) => ({ RoleName: name, RoleId: id })),
    ...rest,
  }
}

function isKind(kind: Holder['kind']): (holder: Holder) => boolean {
  return (holder) => holder.kind === kind
}
