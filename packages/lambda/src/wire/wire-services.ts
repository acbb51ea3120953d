import type { WireService } from '@hashrange/server'
import { lambdaOperations, lambdaTarget } from '../api/operations.ts'
import { restJsonProtocol } from './rest-json-protocol.ts'
import { restVersions } from './rest-routes.ts'

/** Lambda is recognised by the dates with which its paths start. */
const lambda: WireService = {
  target: lambdaTarget,
  signingName: 'lambda',
  operations: lambdaOperations,
  methods: new Set(['GET', 'PUT', 'DELETE']),
  statuses: new Map([
    ['AccessDeniedException', 403],
    ['CodeStorageExceededException', 400],
    ['ExpiredTokenException', 403],
    ['IncompleteSignatureException', 403],
    ['InvalidSignatureException', 403],
    ['InvalidZipFileException', 502],
    ['MissingAuthenticationTokenException', 403],
    ['PreconditionFailedException', 412],
    ['RequestTooLargeException', 413],
    ['ResourceConflictException', 409],
    ['ResourceNotFoundException', 404],
    ['ServiceException', 500],
    ['TooManyRequestsException', 429],
    ['UnknownOperationException', 404],
    ['UnrecognizedClientException', 403],
  ]),
  protocolOf({ target }) {
    if (target.length < 12 || target[0] !== '/' || target[5] !== '-') return undefined
    return restVersions.has(target.slice(1, 11)) ? restJsonProtocol : undefined
  },
}

/** How clients communicate with the services of this package. */
export const lambdaWire: readonly WireService[] = [lambda]
