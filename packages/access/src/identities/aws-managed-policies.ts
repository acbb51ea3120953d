/** The policies that AWS keeps for everybody, of those that concern what is served here: what each allows, in our own words. */
export interface AwsManagedPolicy {
  readonly name: string
  readonly path: string
  readonly description: string
  readonly document: string
}

const prefix = 'arn:aws:iam::aws:policy'

export function awsManagedArn({ path, name }: AwsManagedPolicy): string {
  return `${prefix}${path}${name}`
}

const readsOfTables = [
  'dynamodb:BatchGetItem',
  'dynamodb:Describe*',
  'dynamodb:Get*',
  'dynamodb:List*',
  'dynamodb:PartiQLSelect',
  'dynamodb:Query',
  'dynamodb:Scan',
]
const readsOfMetrics = ['cloudwatch:Describe*', 'cloudwatch:Get*', 'cloudwatch:List*']

export const awsManagedPolicies: ReadonlyMap<string, AwsManagedPolicy> = new Map(
  [
    policy('AdministratorAccess', 'Provides full access to AWS services and resources.', ['*']),
    policy('AmazonDynamoDBFullAccess', 'Provides full access to Amazon DynamoDB.', [
      'dynamodb:*',
      'application-autoscaling:*',
      ...readsOfMetrics,
      'cloudwatch:DeleteAlarms',
      'cloudwatch:PutMetricAlarm',
    ]),
    policy('AmazonDynamoDBFullAccess_v2', 'Provides full access to Amazon DynamoDB.', [
      'dynamodb:*',
      'application-autoscaling:*',
      ...readsOfMetrics,
      'cloudwatch:DeleteAlarms',
      'cloudwatch:PutMetricAlarm',
    ]),
    policy('AmazonDynamoDBReadOnlyAccess', 'Provides read only access to Amazon DynamoDB.', [
      ...readsOfTables,
      'application-autoscaling:Describe*',
      ...readsOfMetrics,
    ]),
    policy('CloudWatchReadOnlyAccess', 'Provides read only access to CloudWatch.', readsOfMetrics),
    policy('IAMFullAccess', 'Provides full access to IAM.', ['iam:*']),
    policy('IAMReadOnlyAccess', 'Provides read only access to IAM.', ['iam:Get*', 'iam:List*', 'iam:Simulate*']),
    policy('ReadOnlyAccess', 'Provides read-only access to AWS services and resources.', [
      ...readsOfTables,
      ...readsOfMetrics,
      'application-autoscaling:Describe*',
      'iam:Get*',
      'iam:List*',
      'iam:Simulate*',
    ]),
  ].map((known) => [awsManagedArn(known), known]),
)

function policy(name: string, description: string, actions: readonly string[]): AwsManagedPolicy {
  const statement = { Effect: 'Allow', Action: actions, Resource: '*' }
  return {
    name,
    path: '/',
    description,
    document: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
  }
}
