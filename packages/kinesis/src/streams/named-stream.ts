import type { Scope } from '@hashrange/engine'
import type { StreamReference } from '../api/kinesis-inputs.ts'
import { invalidArgument, streamNotFound } from './stream-errors.ts'

/** The name of the stream that a request is about. */
export function namedStream(scope: Scope, { StreamName, StreamARN }: StreamReference): string {
  if (StreamARN === undefined) {
    if (StreamName === undefined) throw invalidArgument('Either StreamARN or StreamName must be provided.')
    return StreamName
  }
  const name = streamOfArn(scope, StreamARN)
  if (StreamName !== undefined && StreamName !== name) {
    throw invalidArgument('StreamARN and StreamName do not refer to the same stream.')
  }
  return name
}

/** The name of the stream of an ARN, which may also be that of a consumer. */
export function streamOfArn(scope: Scope, arn: string): string {
  const [, region, accountId, name] = arnPattern.exec(arn) ?? []
  if (name === undefined) throw invalidArgument(`Invalid ARN: ${arn}`)
  if (accountId !== scope.accountId || region !== scope.region) {
    throw streamNotFound({ ...scope, accountId: accountId ?? '' }, name)
  }
  return name
}

const arnPattern = /^arn:aws[a-z-]{0,20}:kinesis:([a-z0-9-]{1,64}):(\d{12}):stream\/([a-zA-Z0-9_.-]{1,128})(?:\/|$)/
