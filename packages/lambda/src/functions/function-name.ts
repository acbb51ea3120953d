import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { functionArn } from './lambda-function.ts'

/** The name in a `FunctionName`, which may also be an ARN or a part of one. Versions other than $LATEST, and aliases, are
 *  not there. */
export function readFunctionName(scope: Scope, text: string): string {
  const words = text.split(':')
  const at = words.indexOf('function')
  // `name`, `name:qualifier`, `account:function:name:qualifier`, or the whole ARN.
  const [name = '', qualifier] = at < 0 ? words : words.slice(at + 1)
  const [accountId, region] = at < 0 ? [] : words.slice(0, at).toReversed()
  if ((accountId ?? scope.accountId) !== scope.accountId || (region ?? scope.region) !== scope.region)
    throw functionNotFound(text)
  if (qualifier !== undefined && qualifier !== '$LATEST')
    throw functionNotFound(`${functionArn(scope, name)}:${qualifier}`)
  return name
}

export function functionNotFound(arn: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', `Function not found: ${arn}`)
}
