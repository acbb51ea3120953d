import { validationException } from '@hashrange/core'
import type { CustomizedMetric, PutScalingPolicyInput, TargetTracking } from '../api/auto-scaling-inputs.ts'
import type { ScalableResource } from '../resources/scalable-resource.ts'

/** The configuration of a policy that the service would accept for a table or an index: they only support target
 *  tracking. */
export function readTargetTracking(input: PutScalingPolicyInput, resource: ScalableResource): TargetTracking {
  const { PolicyType: policyType = 'StepScaling' } = input
  if (policyType !== 'TargetTrackingScaling') {
    throw validationException(`The ${policyType} policy type is not supported for service namespace: dynamodb`)
  }
  const tracking = input.TargetTrackingScalingPolicyConfiguration
  if (
    input.StepScalingPolicyConfiguration !== undefined ||
    input.PredictiveScalingPolicyConfiguration !== undefined
  ) {
    throw validationException(
      'Only TargetTrackingScalingPolicyConfiguration can be specified for the policy type TargetTrackingScaling',
    )
  }
  if (tracking === undefined) {
    throw validationException(
      'TargetTrackingScalingPolicyConfiguration is required for the policy type TargetTrackingScaling',
    )
  }
  assertTracking(tracking, resource)
  return tracking
}

/** What the service accepts as a target of any kind. */
const least = 8.51592e-109
const most = 1.174271e108

export function assertTracking(tracking: TargetTracking, resource: ScalableResource): void {
  const { TargetValue: target, PredefinedMetricSpecification: predefined } = tracking
  const customized = tracking.CustomizedMetricSpecification
  if (target < least || target > most) {
    throw validationException(
      `For target tracking scaling, target value must be between '${javaDouble(least)}' and '${javaDouble(most)}', but was '${javaDouble(target)}'.`,
    )
  }
  if ((predefined === undefined) === (customized === undefined)) {
    throw validationException(
      'Exactly one of PredefinedMetricSpecification and CustomizedMetricSpecification must be specified for target tracking scaling',
    )
  }
  if (customized !== undefined) return assertCustomized(customized)
  const metricType = predefined?.PredefinedMetricType ?? ''
  const expected = `DynamoDB${resource.units === 'read' ? 'Read' : 'Write'}CapacityUtilization`
  if (metricType !== expected) {
    throw validationException(
      `Predefined metric type ${metricType} is not supported for the scalable dimension; use ${expected}`,
    )
  }
  if (target < 10 || target > 90) {
    throw validationException(
      `For predefined metric type ${metricType}, target value must be between '10.0' and '90.0', but was '${javaDouble(target)}'.`,
    )
  }
}

function assertCustomized({ MetricName, Namespace, Statistic, Metrics }: CustomizedMetric): void {
  if (Metrics !== undefined) {
    if (MetricName !== undefined || Namespace !== undefined || Statistic !== undefined) {
      throw validationException('CustomizedMetricSpecification has either Metrics or a single metric, not both')
    }
    if (Metrics.filter(({ ReturnData }) => ReturnData !== false).length !== 1) {
      throw validationException('Exactly one of the metrics of a CustomizedMetricSpecification must return data')
    }
    return
  }
  if (MetricName === undefined || Namespace === undefined || Statistic === undefined) {
    throw validationException('CustomizedMetricSpecification requires MetricName, Namespace and Statistic')
  }
}

/** As Java prints it: `90.1`, `100.0`, `1.174271E108`. */
function javaDouble(value: number): string {
  const text = String(value)
  if (text.includes('e')) return text.replace('e', 'E').replace('E+', 'E')
  return Number.isInteger(value) ? `${text}.0` : text
}
