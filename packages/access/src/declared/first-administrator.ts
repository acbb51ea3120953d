import { accountIdOf, sharedAccountId } from '@hashrange/server'
import type { IamContext } from '../iam/iam-context.ts'
import type { AccessKeyRecord } from '../identities/identity-records.ts'
import { newId, newSecret } from '../secrets/new-credentials.ts'

export interface AccessKeyPair {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface FirstAdministratorOptions {
  /** The key, if it was chosen. */
  readonly key?: AccessKeyPair | undefined
  /** Whose it is; the key says so unless told. */
  readonly accountId?: string | undefined
}

/** The account of whoever runs the server, and its key if that was made just now: it is told once. */
export interface Administrator {
  readonly accountId: string
  readonly made?: AccessKeyPair | undefined
}

/** Sees to it that somebody can get in. A given key is the account's own from now on, and its account is the one that the key had on an open server, so that it finds its tables again.
 *  Without one, a store in which nobody has a key gets one. */
export async function firstAdministrator(
  iam: IamContext,
  { key: given, accountId: ofKey }: FirstAdministratorOptions = {},
): Promise<Administrator> {
  const { identities } = iam
  await identities.refresh()
  const wanted = ofKey ?? (given === undefined ? sharedAccountId : accountIdOf(given.accessKeyId))
  const { accountId = wanted } = await identities.noteOnce({ kind: 'note', name: 'home', accountId: wanted })
  if (given !== undefined) {
    await putKey(iam, wanted, given)
    return { accountId }
  }
  const made = newAdministratorKey(accountId)
  const isMade = await putKey(iam, accountId, made, true)
  return { accountId, ...(isMade && { made }) }
}

async function putKey(
  iam: IamContext,
  accountId: string,
  { accessKeyId, secretAccessKey }: AccessKeyPair,
  onlyIfNobodyHasOne = false,
): Promise<boolean> {
  const box = await iam.box()
  const secret = box.seal(secretAccessKey, accessKeyId)
  return iam.identities.change((book) => {
    if (onlyIfNobodyHasOne && book.hasKeys) return { changes: [], answer: false }
    const before = book.findKey(accessKeyId)?.key
    const isSame = before !== undefined && box.open(before.secret, accessKeyId) === secretAccessKey
    if (isSame && before.userId === undefined && before.status === 'Active') return { changes: [], answer: false }
    const put: AccessKeyRecord = {
      kind: 'key',
      name: accessKeyId,
      status: 'Active',
      createdAtMs: before?.createdAtMs ?? iam.identities.clock.now(),
      secret,
    }
    return { changes: [{ accountId, put }], answer: true }
  })
}

export function newAdministratorKey(accountId: string): AccessKeyPair {
  return { accessKeyId: newId('AKIA', accountId), secretAccessKey: newSecret() }
}
