import { ServiceError } from '@hashrange/core'
import type { ServiceHost } from '@hashrange/engine'
import { invalidParameter } from '../api/invalid-parameter.ts'
import type { FunctionCredentials } from './function-environment.ts'
import type { LambdaFunction } from './lambda-function.ts'

const iam = 'AWSIdentityManagementV20100508'
const sts = 'AWSSecurityTokenServiceV20110615'

/** What a function of a closed server signs its requests with: a session of its role, which must trust Lambda. A function
 *  without a role may do nothing. */
export async function roleCredentials(
  host: Pick<ServiceHost, 'execute'>,
  { scope, name, role }: LambdaFunction,
): Promise<FunctionCredentials> {
  if (role === undefined) return { accessKeyId: 'none', secretAccessKey: 'none' }
  const notAssumable = invalidParameter('The role defined for the function cannot be assumed by Lambda.')
  const [, , , , accountId] = role.split(':')
  if (accountId !== scope.accountId) throw notAssumable
  try {
    const found = await host.execute(scope, iam, 'GetRole', { RoleName: role.slice(role.lastIndexOf('/') + 1) })
    const { Role: described } = found as { readonly Role: { readonly AssumeRolePolicyDocument: string } }
    if (!trustsLambda(decodeURIComponent(described.AssumeRolePolicyDocument))) throw notAssumable
    const assumed = await host.execute(scope, sts, 'AssumeRole', { RoleArn: role, RoleSessionName: name })
    const { Credentials: credentials } = assumed as {
      readonly Credentials: {
        readonly AccessKeyId: string
        readonly SecretAccessKey: string
        readonly SessionToken: string
      }
    }
    const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken } = credentials
    return { accessKeyId, secretAccessKey, sessionToken }
  } catch (error) {
    if (error instanceof ServiceError) throw notAssumable
    throw error
  }
}

/** Whether a statement of the trust policy lets Lambda in, without conditions that nobody here could fulfil. */
function trustsLambda(document: string): boolean {
  const { Statement: statements } = JSON.parse(document) as { readonly Statement?: unknown }
  return listOf(statements).some((statement) => {
    if (typeof statement !== 'object' || statement === null) return false
    const { Effect, Principal, Action, Condition } = statement as Readonly<Record<string, unknown>>
    const service = (Principal as Readonly<Record<string, unknown>> | undefined)?.['Service']
    return (
      Effect === 'Allow' &&
      Condition === undefined &&
      listOf(service).includes('lambda.amazonaws.com') &&
      listOf(Action).some((action) => ['sts:AssumeRole', 'sts:*', '*'].includes(String(action)))
    )
  })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}
