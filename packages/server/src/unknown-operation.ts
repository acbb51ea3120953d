import { ServiceError } from '@hashrange/core'

/** The service only says that it does not know the operation. Whoever calls this server learns which one it was, and where
 *  to look. */
export function unknownOperation(amzTarget: string | undefined): ServiceError {
  const named = shown(amzTarget ?? '')
  return new ServiceError(
    'UnknownOperationException',
    named === ''
      ? 'The request does not name an operation. Put it in the X-Amz-Target header, such as DynamoDB_20120810.GetItem.'
      : `hashrange has no operation "${named}". Its operations are listed in docs/compatibility.md.`,
  )
}

/** The service that a request was signed for, if it says so. */
export function signedService(authorization: string | undefined): string | undefined {
  return /Credential=[^/,]{1,256}\/\d{8}\/[^/,]{0,64}\/([a-z0-9-]{1,64})\//.exec(authorization ?? '')?.[1]
}

/** Clients send anything: this much of it fits on a line. */
function shown(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100)
}
