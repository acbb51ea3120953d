/** The name of the service among targets. On the wire, requests name it by their path. */
export const lambdaTarget = 'AWSGirApiService'

/** The operations of Lambda that this package has. */
export const lambdaOperations = [
  'CreateEventSourceMapping',
  'CreateFunction',
  'DeleteEventSourceMapping',
  'DeleteFunction',
  'DeleteFunctionConcurrency',
  'GetAccountSettings',
  'GetEventSourceMapping',
  'GetFunction',
  'GetFunctionCodeSigningConfig',
  'GetFunctionConcurrency',
  'GetFunctionConfiguration',
  'GetFunctionEventInvokeConfig',
  'GetFunctionRecursionConfig',
  'GetPolicy',
  'GetRuntimeManagementConfig',
  'Invoke',
  'ListAliases',
  'ListEventSourceMappings',
  'ListFunctions',
  'ListTags',
  'ListVersionsByFunction',
  'PutFunctionConcurrency',
  'TagResource',
  'UntagResource',
  'UpdateEventSourceMapping',
  'UpdateFunctionCode',
  'UpdateFunctionConfiguration',
] as const

export type LambdaOperation = (typeof lambdaOperations)[number]
