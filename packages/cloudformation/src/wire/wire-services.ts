import { isQueryFor, jsonProtocol, queryProtocol, type WireService } from '@hashrange/server'
import { cloudFormationOperations, cloudFormationTarget } from '../api/operations.ts'
import { cloudFormationShapes } from '../api/shape-book.ts'
import { bucketOperations, bucketTarget, parametersOperations, parametersTarget } from '../assets/operations.ts'
import { bucketProtocol } from './bucket-protocol.ts'

const version = '2010-05-15'

const query = queryProtocol({
  version,
  namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
  shapes: cloudFormationShapes,
  operations: cloudFormationOperations,
})

const refusals = [
  ['AccessDeniedException', 'AccessDenied', 403],
  ['ChangeSetNotFoundException', 'ChangeSetNotFound', 404],
  ['ExpiredTokenException', 'ExpiredToken', 403],
  ['IncompleteSignatureException', 'IncompleteSignature', 400],
  ['InvalidChangeSetStatusException', 'InvalidChangeSetStatus', 400],
  ['InvalidParameterValueException', 'ValidationError', 400],
  ['InvalidSignatureException', 'SignatureDoesNotMatch', 403],
  ['MissingAuthenticationTokenException', 'MissingAuthenticationToken', 403],
  ['SerializationException', 'MalformedInput', 400],
  ['UnknownOperationException', 'InvalidAction', 400],
  ['UnrecognizedClientException', 'InvalidClientTokenId', 403],
  ['ValidationException', 'ValidationError', 400],
] as const

const bucketRefusals = [
  ['AccessDeniedException', 'AccessDenied', 403],
  ['InvalidSignatureException', 'SignatureDoesNotMatch', 403],
  ['NoSuchBucket', 'NoSuchBucket', 404],
  ['NoSuchKey', 'NoSuchKey', 404],
  ['NotImplemented', 'NotImplemented', 501],
  ['UnrecognizedClientException', 'InvalidAccessKeyId', 403],
] as const

/** How clients communicate with CloudFormation, and with what CDK needs besides: the bucket that it puts its templates
 *  into, and the parameter with the version of its bootstrap. */
export const cloudFormationWire: readonly WireService[] = [
  {
    target: cloudFormationTarget,
    signingName: 'cloudformation',
    operations: cloudFormationOperations,
    queryCodes: new Map(refusals.map(([name, code]) => [name, code])),
    statuses: new Map(refusals.map(([name, , status]) => [name, status])),
    protocolOf: (request) => (isQueryFor(request, 'cloudformation', version) ? query : undefined),
  },
  {
    target: bucketTarget,
    signingName: 's3',
    operations: bucketOperations,
    methods: new Set(['GET', 'HEAD', 'PUT']),
    queryCodes: new Map(bucketRefusals.map(([name, code]) => [name, code])),
    statuses: new Map(bucketRefusals.map(([name, , status]) => [name, status])),
    protocolOf: ({ authorization }) =>
      authorization?.includes('/s3/aws4_request') === true ? bucketProtocol : undefined,
  },
  {
    target: parametersTarget,
    signingName: 'ssm',
    operations: parametersOperations,
    protocolOf: ({ amzTarget }) => (amzTarget?.startsWith('AmazonSSM.') === true ? jsonProtocol('1.1') : undefined),
  },
]
