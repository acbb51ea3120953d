import type { Scope } from '@hashrange/engine'
import { accountIdOf } from '@hashrange/server'
import type { IamContext } from '../iam/iam-context.ts'

/** The account stands in the key itself. */
export async function getAccessKeyInfo(
  _iam: IamContext,
  _scope: Scope,
  input: { readonly AccessKeyId: string },
): Promise<object> {
  return { Account: accountIdOf(input.AccessKeyId) }
}
