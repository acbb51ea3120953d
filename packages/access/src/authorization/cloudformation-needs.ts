import type { Need, NeedsOf } from './need.ts'
import { sentTags, sentText } from './sent-member.ts'
import { requestTagKeys } from './tag-keys.ts'

const ofStacks = [
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
  'ListStackResources',
  'SetStackPolicy',
  'UpdateStack',
  'UpdateTerminationProtection',
]

/** What CloudFormation needs: of a stack where one is named. What a stack makes is asked for when it is made. */
export const cloudFormationNeeds: Readonly<Record<string, NeedsOf>> = Object.fromEntries([
  ...ofStacks.map((name): [string, NeedsOf] => [
    name,
    ({ scope, body }) => {
      const named = sentText(body, 'StackName')
      const stack =
        named?.startsWith('arn:') === true
          ? named
          : `arn:aws:cloudformation:${scope.region}:${scope.accountId}:stack/${named ?? '*'}/*`
      const tags = requestTagKeys(sentTags(body))
      const role = sentText(body, 'RoleARN')
      const needs: Need[] = [{ action: `cloudformation:${name}`, resource: stack, ...(tags && { keys: tags }) }]
      if (role !== undefined) needs.push({ action: 'iam:PassRole', resource: role })
      return needs
    },
  ]),
  ...['ListExports', 'ListImports', 'ListStacks', 'ValidateTemplate'].map((name): [string, NeedsOf] => [
    name,
    () => [{ action: `cloudformation:${name}`, resource: '*' }],
  ]),
])

/** What the bucket of assets needs. */
export const bucketNeeds: Readonly<Record<string, NeedsOf>> = Object.fromEntries(
  Object.entries({
    GetBucketEncryption: 's3:GetEncryptionConfiguration',
    GetBucketLocation: 's3:GetBucketLocation',
    GetObject: 's3:GetObject',
    HeadBucket: 's3:ListBucket',
    HeadObject: 's3:GetObject',
    ListObjectsV2: 's3:ListBucket',
    PutObject: 's3:PutObject',
  }).map(([name, action]): [string, NeedsOf] => [
    name,
    ({ body }) => {
      const bucket = `arn:aws:s3:::${sentText(body, 'Bucket') ?? '*'}`
      return [{ action, resource: name.endsWith('Object') ? `${bucket}/${sentText(body, 'Key') ?? '*'}` : bucket }]
    },
  ]),
)

/** What the parameters of Systems Manager need. */
export const parametersNeeds: Readonly<Record<string, NeedsOf>> = {
  GetParameter: ({ scope, body }) => [
    {
      action: 'ssm:GetParameter',
      resource: `arn:aws:ssm:${scope.region}:${scope.accountId}:parameter${sentText(body, 'Name') ?? '/*'}`,
    },
  ],
}
