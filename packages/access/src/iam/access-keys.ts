import type { Scope } from '@hashrange/engine'
import { callerIn } from '../identities/calling-scope.ts'
import type { Account } from '../identities/identity-book.ts'
import type { AccessKeyRecord, AccessKeyStatus, UserRecord } from '../identities/identity-records.ts'
import { newId, newSecret } from '../secrets/new-credentials.ts'
import { describeKey } from './describe.ts'
import { assertQuota, requireUser } from './holders.ts'
import { accountIn, boxIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { noSuchEntity, validationError } from './iam-errors.ts'
import { pageOf, type PageInput } from './page.ts'

const mostKeys = 2

interface OwnerInput {
  readonly UserName?: string
}

interface KeyInput extends OwnerInput {
  readonly AccessKeyId: string
}

/** The only answer that ever holds the secret. */
export async function createAccessKey(iam: IamContext, scope: Scope, input: OwnerInput): Promise<object> {
  const name = newId('AKIA', scope.accountId)
  const secret = newSecret()
  const sealed = (await boxIn(iam)).seal(secret, name)
  return changeIn(iam, scope, (account) => {
    const owner = ownerOf(account, scope, input)
    assertQuota('AccessKeysPerUser', account.keysOf(owner?.id).length, mostKeys)
    const key: AccessKeyRecord = {
      kind: 'key',
      name,
      userId: owner?.id,
      status: 'Active',
      createdAtMs: nowOf(iam),
      secret: sealed,
    }
    return {
      changes: [{ accountId: account.accountId, put: key }],
      answer: { AccessKey: { ...describeKey(owner?.name ?? '', key), SecretAccessKey: secret } },
    }
  })
}

export async function listAccessKeys(
  iam: IamContext,
  scope: Scope,
  input: OwnerInput & PageInput,
): Promise<object> {
  const account = await accountIn(iam, scope)
  const owner = ownerOf(account, scope, input)
  const { items, rest } = pageOf(account.keysOf(owner?.id), ({ name }) => name, input)
  return { AccessKeyMetadata: items.map((key) => describeKey(owner?.name, key)), ...rest }
}

export async function updateAccessKey(
  iam: IamContext,
  scope: Scope,
  input: KeyInput & { readonly Status: AccessKeyStatus | 'Expired' },
): Promise<undefined> {
  const status = input.Status
  if (status === 'Expired') throw validationError('The status of an access key can be Active or Inactive.')
  return changeIn(iam, scope, (account) => {
    const key = requireKey(account, scope, input)
    return { changes: [{ accountId: account.accountId, put: { ...key, status } }], answer: undefined }
  })
}

export async function deleteAccessKey(iam: IamContext, scope: Scope, input: KeyInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const key = requireKey(account, scope, input)
    return { changes: [{ accountId: account.accountId, remove: key }], answer: undefined }
  })
}

export async function getAccessKeyLastUsed(iam: IamContext, scope: Scope, input: KeyInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const key = account.keys.get(input.AccessKeyId)
  if (key === undefined) throw missing(input.AccessKeyId)
  const use = await iam.identities.lastUse(account.accountId, key.name)
  return {
    UserName: key.userId === undefined ? undefined : account.usersById.get(key.userId)?.name,
    AccessKeyLastUsed:
      use === undefined
        ? { ServiceName: 'N/A', Region: 'N/A' }
        : { LastUsedDate: new Date(use.atMs), ServiceName: use.service, Region: use.region },
  }
}

/** Whose key it is: the user who is named or who asks, or nobody for the account's own. */
function ownerOf(account: Account, scope: Scope, { UserName: name }: OwnerInput): UserRecord | undefined {
  if (name !== undefined) return requireUser(account, name)
  const caller = callerIn(scope)
  if (caller.kind === 'role') throw validationError('Must specify userName when calling with non-User credentials')
  return caller.kind === 'user' ? requireUser(account, caller.user.name) : undefined
}

function requireKey(account: Account, scope: Scope, input: KeyInput): AccessKeyRecord {
  const owner = ownerOf(account, scope, input)
  const key = account.keys.get(input.AccessKeyId)
  if (key === undefined || key.userId !== owner?.id) throw missing(input.AccessKeyId)
  return key
}

function missing(accessKeyId: string): Error {
  return noSuchEntity(`The Access Key with id ${accessKeyId} cannot be found.`)
}
