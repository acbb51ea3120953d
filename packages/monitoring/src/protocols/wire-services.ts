import { isQueryFor, jsonProtocol, queryProtocol, type WireService } from '@hashrange/server'
import { monitoringOperations } from '../api/operations.ts'
import { cloudWatchShapes } from '../api/shape-books.ts'
import { rpcProtocol } from './rpc-protocol.ts'

/** Application Auto Scaling only speaks AWS JSON. */
const autoScaling: WireService = {
  target: 'AnyScaleFrontendService',
  signingName: 'application-autoscaling',
  operations: monitoringOperations.AnyScaleFrontendService,
  protocolOf: ({ target, amzTarget }) =>
    isRoot(target) && amzTarget?.startsWith('AnyScaleFrontendService.') === true ? jsonProtocol('1.1') : undefined,
}

const cloudWatchVersion = '2010-08-01'

const cloudWatchQuery = queryProtocol({
  version: cloudWatchVersion,
  namespace: 'http://monitoring.amazonaws.com/doc/2010-08-01/',
  shapes: cloudWatchShapes,
  operations: monitoringOperations.GraniteServiceVersion20100801,
})

/** CloudWatch speaks RPC with CBOR, AWS JSON and the Query protocol, whichever a client uses. */
const cloudWatch: WireService = {
  target: 'GraniteServiceVersion20100801',
  signingName: 'monitoring',
  operations: monitoringOperations.GraniteServiceVersion20100801,
  statuses: new Map([['ResourceNotFound', 404]]),
  queryCodes: new Map([
    ['AccessDeniedException', 'AccessDenied'],
    ['ExpiredTokenException', 'ExpiredToken'],
    ['IncompleteSignatureException', 'IncompleteSignature'],
    ['InvalidSignatureException', 'SignatureDoesNotMatch'],
    ['MissingAuthenticationTokenException', 'MissingAuthenticationToken'],
    ['UnrecognizedClientException', 'InvalidClientTokenId'],
    ['InternalServiceFault', 'InternalServiceError'],
    ['InvalidFormatFault', 'InvalidFormat'],
    ['InvalidParameterCombinationException', 'InvalidParameterCombination'],
    ['InvalidParameterValueException', 'InvalidParameterValue'],
    ['LimitExceededFault', 'LimitExceeded'],
    ['MissingRequiredParameterException', 'MissingParameter'],
    ['SerializationException', 'MalformedInput'],
    ['UnknownOperationException', 'InvalidAction'],
    ['ValidationException', 'ValidationError'],
  ]),
  protocolOf(request) {
    const { target, amzTarget } = request
    if (target.startsWith('/service/')) return rpcProtocol
    if (!isRoot(target)) return undefined
    if (amzTarget?.startsWith('GraniteServiceVersion20100801.') === true) return jsonProtocol('1.0')
    return isQueryFor(request, 'monitoring', cloudWatchVersion) ? cloudWatchQuery : undefined
  },
}

/** How clients communicate with the services of this package. */
export const monitoringWire: readonly WireService[] = [autoScaling, cloudWatch]

function isRoot(target: string): boolean {
  return target.split('?', 1)[0] === '/'
}
