import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { Account, IdentityBook } from '../identities/identity-book.ts'
import type { Identities, IdentityDecision } from '../identities/identities.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** What the operations of IAM and STS work with. */
export interface IamContext {
  readonly identities: Identities
  /** Made when it is first needed: most databases never have a secret. Rejects with WrongSecretKey if the secrets in the store were sealed with another key. */
  readonly box: () => Promise<SecretBox>
}

/** What an operation that only reads sees: with several servers, all that the others have changed. */
export async function accountIn({ identities }: IamContext, { accountId }: Scope): Promise<Account> {
  if (identities.isShared) await identities.refresh()
  return identities.book.account(accountId)
}

export function changeIn<T>(
  { identities }: IamContext,
  { accountId }: Scope,
  decide: (account: Account, book: IdentityBook) => IdentityDecision<T>,
): Promise<T> {
  return identities.change((book) => decide(book.account(accountId), book))
}

/** The box of secrets, for an operation: a server without a key for it can do everything else. */
export async function boxIn({ box }: IamContext): Promise<SecretBox> {
  try {
    return await box()
  } catch (error) {
    throw new ServiceError('FeatureDisabledException', error instanceof Error ? error.message : String(error))
  }
}

export function nowOf({ identities }: IamContext): number {
  return identities.clock.now()
}
