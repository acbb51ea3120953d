import type { ServiceOperation } from '@hashrange/engine'
import type { IamContext } from '../iam/iam-context.ts'
import { assumeRole } from './assume-role.ts'
import { getAccessKeyInfo } from './get-access-key-info.ts'
import { getCallerIdentity } from './get-caller-identity.ts'
import { getSessionToken } from './get-session-token.ts'

export const sts: Readonly<Record<string, ServiceOperation<IamContext>>> = {
  AssumeRole: assumeRole,
  GetAccessKeyInfo: getAccessKeyInfo,
  GetCallerIdentity: getCallerIdentity,
  GetSessionToken: getSessionToken,
}
