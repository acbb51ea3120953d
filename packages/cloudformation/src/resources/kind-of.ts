import { isTable, type JsonObject } from '@hashrange/templates'
import { kinesisStreamKind } from './kinesis-stream.ts'
import { alarmKind, scalableTargetKind, scalingPolicyKind } from './monitoring.ts'
import type { ResourceKind } from './resource-kind.ts'
import { tableKind } from './table.ts'

/** How a resource is made, or undefined where this database has nothing like it: then its place in the stack is all that
 *  there is of it. */
export function kindOf(type: string, properties: JsonObject, region: string): ResourceKind | undefined {
  if (isTable(type)) return tableKind(type, region)
  switch (type) {
    case 'AWS::CloudWatch::Alarm':
      return alarmKind
    case 'AWS::Kinesis::Stream':
      return kinesisStreamKind
    case 'AWS::ApplicationAutoScaling::ScalableTarget':
      return properties['ServiceNamespace'] === 'dynamodb' ? scalableTargetKind : undefined
    case 'AWS::ApplicationAutoScaling::ScalingPolicy':
      return isOfTable(properties) ? scalingPolicyKind : undefined
    default:
      return undefined
  }
}

function isOfTable({ ServiceNamespace, ScalingTargetId }: JsonObject): boolean {
  if (ServiceNamespace !== undefined) return ServiceNamespace === 'dynamodb'
  return typeof ScalingTargetId === 'string' && ScalingTargetId.endsWith('|dynamodb')
}

/** What stands for an attribute of a resource that is not here. */
export function placeholder(
  { type, physicalId }: { readonly type: string; readonly physicalId: string },
  attribute: string,
  { region, accountId }: { readonly region: string; readonly accountId: string },
): string {
  if (!attribute.endsWith('Arn')) return `${physicalId}-${attribute}`
  const [, service = 'aws', kind = 'resource'] = type.toLowerCase().split('::')
  if (service === 'iam') return `arn:aws:iam::${accountId}:${kind}/${physicalId}`
  if (service === 's3') return `arn:aws:s3:::${physicalId}`
  const separator = service === 'lambda' ? ':' : '/'
  return `arn:aws:${service}:${region}:${accountId}:${service === 'sqs' || service === 'sns' ? '' : kind + separator}${physicalId}`
}
