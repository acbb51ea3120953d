export const cloudFormationTarget = 'AWSCloudFormation'

/** The operations of CloudFormation that are here. */
export const cloudFormationOperations = [
  'CreateChangeSet',
  'CreateStack',
  'DeleteChangeSet',
  'DeleteStack',
  'DescribeChangeSet',
  'DescribeEvents',
  'DescribeStackEvents',
  'DescribeStackResource',
  'DescribeStackResources',
  'DescribeStacks',
  'ExecuteChangeSet',
  'GetStackPolicy',
  'GetTemplate',
  'GetTemplateSummary',
  'ListChangeSets',
  'ListExports',
  'ListImports',
  'ListStackResources',
  'ListStacks',
  'SetStackPolicy',
  'UpdateStack',
  'UpdateTerminationProtection',
  'ValidateTemplate',
] as const

export type CloudFormationOperation = (typeof cloudFormationOperations)[number]
