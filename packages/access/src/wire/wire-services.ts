import { isQueryFor, queryProtocol, type WireService } from '@hashrange/server'
import { accessOperations } from '../api/operations.ts'
import { iamShapes, stsShapes } from '../api/shape-books.ts'

/** What the services answer where a signature or a policy stands in the way: in the Query protocol these have names of their own. */
const refusals = [
  ['AccessDeniedException', 'AccessDenied', 403],
  ['ExpiredTokenException', 'ExpiredToken', 403],
  ['IncompleteSignatureException', 'IncompleteSignature', 400],
  ['InvalidSignatureException', 'SignatureDoesNotMatch', 403],
  ['MissingAuthenticationTokenException', 'MissingAuthenticationToken', 403],
  ['UnrecognizedClientException', 'InvalidClientTokenId', 403],
  ['FeatureDisabledException', 'FeatureDisabled', 404],
  ['InternalServiceFault', 'ServiceFailure', 500],
  ['InvalidParameterValueException', 'ValidationError', 400],
  ['SerializationException', 'MalformedInput', 400],
  ['UnknownOperationException', 'InvalidAction', 400],
  ['ValidationException', 'ValidationError', 400],
] as const

const errorsOfIam = [
  ...refusals,
  ['DeleteConflictException', 'DeleteConflict', 409],
  ['EntityAlreadyExistsException', 'EntityAlreadyExists', 409],
  ['InvalidInputException', 'InvalidInput', 400],
  ['LimitExceededException', 'LimitExceeded', 409],
  ['MalformedPolicyDocumentException', 'MalformedPolicyDocument', 400],
  ['NoSuchEntityException', 'NoSuchEntity', 404],
] as const

const errorsOfSts = [
  ...refusals,
  ['MalformedPolicyDocumentException', 'MalformedPolicyDocument', 400],
  ['PackedPolicyTooLargeException', 'PackedPolicyTooLarge', 400],
] as const

const iam = serviceOf(
  'AWSIdentityManagementV20100508',
  'iam',
  {
    version: '2010-05-08',
    namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    shapes: iamShapes,
    operations: accessOperations.AWSIdentityManagementV20100508,
  },
  errorsOfIam,
)

const sts = serviceOf(
  'AWSSecurityTokenServiceV20110615',
  'sts',
  {
    version: '2011-06-15',
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    shapes: stsShapes,
    operations: accessOperations.AWSSecurityTokenServiceV20110615,
  },
  errorsOfSts,
)

/** How clients speak to the services of this package. */
export const accessWire: readonly WireService[] = [iam, sts]

type WireErrors = readonly (readonly [name: string, code: string, status: number])[]

function serviceOf(
  target: string,
  signingName: string,
  query: Parameters<typeof queryProtocol>[0],
  errors: WireErrors,
): WireService {
  const protocol = queryProtocol(query)
  return {
    target,
    signingName,
    operations: query.operations,
    queryCodes: new Map(errors.map(([name, code]) => [name, code])),
    statuses: new Map(errors.map(([name, , status]) => [name, status])),
    protocolOf: (request) => (isQueryFor(request, signingName, query.version) ? protocol : undefined),
  }
}
