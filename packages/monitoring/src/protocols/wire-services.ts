import { jsonProtocol, type WireService } from '@hashrange/server'
import { monitoringOperations } from '../api/operations.ts'
import { queryProtocol } from './query-protocol.ts'
import { rpcProtocol } from './rpc-protocol.ts'

/** Application Auto Scaling speaks AWS JSON alone. */
const autoScaling: WireService = {
  target: 'AnyScaleFrontendService',
  signingName: 'application-autoscaling',
  operations: monitoringOperations.AnyScaleFrontendService,
  protocolOf: ({ target, amzTarget }) =>
    isRoot(target) && amzTarget?.startsWith('AnyScaleFrontendService.') === true ? jsonProtocol('1.1') : undefined,
}

/** CloudWatch speaks RPC with CBOR, AWS JSON and the Query protocol, whichever a client asks in. */
const cloudWatch: WireService = {
  target: 'GraniteServiceVersion20100801',
  signingName: 'monitoring',
  operations: monitoringOperations.GraniteServiceVersion20100801,
  statuses: new Map([['ResourceNotFound', 404]]),
  queryCodes: new Map([
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
  protocolOf({ target, amzTarget, contentType }) {
    if (target.startsWith('/service/')) return rpcProtocol
    if (!isRoot(target)) return undefined
    if (amzTarget?.startsWith('GraniteServiceVersion20100801.') === true) return jsonProtocol('1.0')
    const essence = contentType?.split(';', 1)[0]?.trim()
    return amzTarget === undefined && essence === 'application/x-www-form-urlencoded' ? queryProtocol : undefined
  },
}

/** How clients speak to the services of this package. */
export const monitoringWire: readonly WireService[] = [autoScaling, cloudWatch]

function isRoot(target: string): boolean {
  return target.split('?', 1)[0] === '/'
}
