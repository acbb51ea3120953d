import { isTable } from '../cloudformation/template.ts'
import type { JsonObject } from '../table-design.ts'
import { alarmKind } from './alarm.ts'
import { eventSourceMappingKind } from './event-source-mapping.ts'
import { kinesisStreamKind } from './kinesis-stream.ts'
import { lambdaFunctionKind } from './lambda-function.ts'
import type { ResourceKind } from './resource-kind.ts'
import { scalableTargetKind, scalingPolicyKind } from './scaling.ts'
import { serverlessFunctionKind } from './serverless-function.ts'
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
    case 'AWS::Lambda::Function':
      return lambdaFunctionKind
    case 'AWS::Serverless::Function':
      return serverlessFunctionKind
    case 'AWS::Lambda::EventSourceMapping':
      return eventSourceMappingKind
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
