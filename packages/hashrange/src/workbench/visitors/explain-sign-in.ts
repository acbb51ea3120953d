import { ServiceError } from '@hashrange/core'
import { ApiRefusal } from '../api-handler.ts'

/** Why somebody could not sign in, for people who typed a key rather than programmed a signature. */
export function explainSignIn(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  const { code, message } = error
  if (code === 'UnrecognizedClientException') {
    return new ApiRefusal(
      403,
      'UnknownKey',
      'This server does not know this access key, or the key is not active. With temporary credentials, the session token must be the one that came with the key.',
    )
  }
  if (code === 'ExpiredTokenException') {
    return new ApiRefusal(
      403,
      'ExpiredToken',
      'These temporary credentials have expired. Get new ones and try again.',
    )
  }
  if (/^Signature (?:expired|not yet current)/.test(message)) {
    return new ApiRefusal(
      403,
      'WrongClock',
      'The clock of this computer differs from that of the server by more than 15 minutes. Correct the clock and try again.',
    )
  }
  if (message.startsWith('The request signature we calculated does not match')) {
    return new ApiRefusal(403, 'WrongSecret', 'The secret access key is wrong.')
  }
  return new ApiRefusal(403, code, message.split('\n', 1)[0] ?? code)
}
