import { useQuery } from '@tanstack/react-query'
import { UserRound } from '../../../icons/icons.generated.ts'
import { call } from '../../../api/api.ts'
import { scopeKey } from '../../../api/queries.ts'
import type { Scope } from '../../../api-types.ts'
import { Field, TextInput } from '../../../components/controls/field.tsx'
import { Picker } from '../../../components/controls/picker.tsx'
import { useScope } from '../../../state/scope.tsx'

interface Principal {
  readonly kind: 'user' | 'role'
  readonly name: string
  readonly arn: string
}

/** A user or a role to pick; for whoever may not list them, an ARN to type. */
export function PrincipalField({
  arn,
  onChange,
}: {
  readonly arn: string
  readonly onChange: (arn: string) => void
}) {
  const scope = useScope()
  const { data: principals } = useQuery({
    queryKey: [scopeKey(scope), 'principals'],
    queryFn: () => listPrincipals(scope),
  })
  const picked = principals?.find((principal) => principal.arn === arn)
  if (principals === undefined || principals.length === 0) {
    return (
      <Field label="ARN of a user, group or role" hint={principals && 'You may not list users and roles.'}>
        <TextInput
          isMono
          value={arn}
          placeholder={`arn:aws:iam::${scope.accountId}:user/…`}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    )
  }
  return (
    <div className="access-principal">
      <Picker
        label="Principal"
        placeholder="Find a user or role"
        icon={<UserRound aria-hidden />}
        empty="No user or role has that name."
        entries={principals.map((principal) => ({
          id: principal.arn,
          label: principal.name,
          detail: principal.kind,
          keywords: principal.arn,
          isChosen: principal.arn === arn,
          onSelect: () => onChange(principal.arn),
        }))}
        value={picked === undefined ? 'Choose a user or role' : `${picked.kind} ${picked.name}`}
        isEmpty={picked === undefined}
      />
    </div>
  )
}

/** Those that may be listed. */
async function listPrincipals(scope: Scope): Promise<readonly Principal[]> {
  const list = async (word: 'Users' | 'Roles'): Promise<readonly Readonly<Record<string, string>>[]> => {
    const target = `AWSIdentityManagementV20100508.List${word}`
    const output = await call<Record<string, readonly Readonly<Record<string, string>>[]>>(scope, target, {
      MaxItems: 1000,
    }).catch(() => undefined)
    return output?.[word] ?? []
  }
  const users = await list('Users')
  const roles = await list('Roles')
  return [
    ...users.map(({ UserName: name = '', Arn: arn = '' }) => ({ kind: 'user' as const, name, arn })),
    ...roles.map(({ RoleName: name = '', Arn: arn = '' }) => ({ kind: 'role' as const, name, arn })),
  ]
}
