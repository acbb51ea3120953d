import type { Skipped } from '../declared.ts'
import { dirname, resolve } from 'node:path'
import type { FunctionDesign, TriggerDesign } from '../function-design.ts'
import { functionNameOf } from '../function-name.ts'
import {
  listOf,
  objectOf,
  plainText,
  type Json,
  type JsonObject,
  type ResourceDesign,
  type TableDesign,
} from '../table-design.ts'
import { wireNames } from './wire-names.ts'

export interface TerraformResource {
  readonly address: string
  readonly type: string
  readonly values: JsonObject
}

interface Others {
  /** Of tables by their names, where resources of their own declare them. */
  readonly settings: ReadonlyMap<string, Partial<TableDesign>>
  readonly resources: readonly ResourceDesign[]
  readonly functions: readonly FunctionDesign[]
  readonly skipped: readonly Skipped[]
  readonly problems: readonly string[]
}

/** The name of the resource that an attribute refers to. */
export type Find = (address: string, attribute: string) => string | undefined

/** What is not a table, in CloudFormation's names. */
export function readOthers(found: readonly TerraformResource[], file: string, find: Find): Others {
  const settings = new Map<string, Partial<TableDesign>>()
  const resources: ResourceDesign[] = []
  const functions = new Map<string, FunctionDesign>()
  const triggers: (readonly [string, TriggerDesign])[] = []
  const skipped: Skipped[] = []
  const problems: string[] = []
  const set = (table: string | undefined, more: Partial<TableDesign>): void => {
    if (table !== undefined) settings.set(table, { ...settings.get(table), ...more })
  }
  for (const { address, type, values } of found) {
    const origin = `${address} in ${file}`
    const text = (name: string): string | undefined =>
      typeof values[name] === 'string' ? plainText(values[name]) : find(address, name)
    const design = (cloudFormationType: string, name: string, properties: JsonObject): number =>
      resources.push({ name, origin, type: cloudFormationType, properties })
    switch (type) {
      case 'aws_appautoscaling_target':
      case 'aws_appautoscaling_policy':
        if (values['service_namespace'] !== 'dynamodb') skipped.push({ name: address, type })
        else if (values['resource_id'] === undefined)
          problems.push(`${origin}: its table is known only after terraform apply.`)
        else
          design(
            `AWS::ApplicationAutoScaling::${type.endsWith('target') ? 'ScalableTarget' : 'ScalingPolicy'}`,
            text('name') ?? address,
            type.endsWith('target') ? wireNames(values, targetNames) : policyOf(values),
          )
        break
      case 'aws_cloudwatch_metric_alarm':
        design('AWS::CloudWatch::Alarm', text('alarm_name') ?? address, alarmOf(values))
        break
      case 'aws_kinesis_stream':
        design('AWS::Kinesis::Stream', text('name') ?? address, streamOf(values))
        break
      case 'aws_dynamodb_contributor_insights':
        if (typeof values['index_name'] === 'string' && values['index_name'] !== '')
          skipped.push({ name: address, type })
        else set(text('table_name'), { insights: true })
        break
      case 'aws_dynamodb_resource_policy':
        set(text('resource_arn')?.split('/').at(-1), { resourcePolicy: plainText(values['policy'] ?? '') })
        break
      case 'aws_dynamodb_kinesis_streaming_destination':
        if (typeof values['stream_arn'] === 'string')
          set(text('table_name'), { kinesisStreamArn: values['stream_arn'] })
        else problems.push(`${origin}: the ARN of its stream is known only after terraform apply.`)
        break
      case 'aws_lambda_function':
        functions.set(text('function_name') ?? address, functionOf(values, origin, file))
        break
      case 'aws_lambda_event_source_mapping': {
        const trigger = triggerOf(values, text('event_source_arn'), find(address, 'event_source_arn'))
        const named = functionNameOf(text('function_name') ?? '')
        if (trigger === undefined || named === '') skipped.push({ name: address, type })
        else triggers.push([named, trigger])
        break
      }
      default:
        skipped.push({ name: address, type })
    }
  }
  for (const [name, trigger] of triggers) {
    const design = functions.get(name)
    if (design === undefined) skipped.push({ name, type: 'aws_lambda_event_source_mapping' })
    else functions.set(name, { ...design, triggers: [...design.triggers, trigger] })
  }
  return { settings, resources, functions: [...functions.values()], skipped, problems }
}

const targetNames = ['min_capacity', 'max_capacity', 'resource_id', 'scalable_dimension', 'service_namespace']

function first(value: Json | undefined): JsonObject {
  return objectOf(listOf(value)[0])
}

function policyOf(values: JsonObject): JsonObject {
  const tracking = first(values['target_tracking_scaling_policy_configuration'])
  const metric = first(tracking['predefined_metric_specification'])
  return {
    PolicyName: values['name'] ?? '',
    PolicyType: values['policy_type'] ?? 'TargetTrackingScaling',
    ...wireNames(values, ['resource_id', 'scalable_dimension', 'service_namespace']),
    TargetTrackingScalingPolicyConfiguration: {
      ...wireNames(tracking, ['target_value', 'scale_in_cooldown', 'scale_out_cooldown', 'disable_scale_in']),
      PredefinedMetricSpecification: { PredefinedMetricType: metric['predefined_metric_type'] ?? '' },
    },
  }
}

function alarmOf(values: JsonObject): JsonObject {
  return {
    ...wireNames(values, [
      'actions_enabled',
      'alarm_actions',
      'alarm_description',
      'comparison_operator',
      'datapoints_to_alarm',
      'evaluation_periods',
      'extended_statistic',
      'insufficient_data_actions',
      'metric_name',
      'namespace',
      'period',
      'statistic',
      'threshold',
      'treat_missing_data',
      'unit',
    ]),
    ...(listOf(values['ok_actions']).length > 0 && { OKActions: values['ok_actions'] ?? [] }),
    Dimensions: Object.entries(objectOf(values['dimensions'])).map(([Name, Value]) => ({ Name, Value })),
    ...(listOf(values['metric_query']).length > 0 && { Metrics: listOf(values['metric_query']).map(queryOf) }),
  }
}

function queryOf(query: Json): Json {
  const { metric, ...values } = objectOf(query)
  const asked = first(metric)
  return {
    ...wireNames(values, ['id', 'expression', 'label', 'return_data']),
    ...(Object.keys(asked).length > 0 && {
      MetricStat: {
        Metric: {
          ...wireNames(asked, ['metric_name', 'namespace']),
          Dimensions: Object.entries(objectOf(asked['dimensions'])).map(([Name, Value]) => ({ Name, Value })),
        },
        ...wireNames(asked, ['period', 'stat', 'unit']),
      },
    }),
  }
}

function streamOf(values: JsonObject): JsonObject {
  const mode = first(values['stream_mode_details'])['stream_mode']
  return {
    ...wireNames(values, ['shard_count']),
    ...(typeof values['retention_period'] === 'number' && { RetentionPeriodHours: values['retention_period'] }),
    ...(mode !== undefined && { StreamModeDetails: { StreamMode: mode } }),
  }
}

function functionOf(values: JsonObject, origin: string, file: string): FunctionDesign {
  const { filename, timeout, memory_size: megabytes } = values
  const variables = objectOf(first(values['environment'])['variables'])
  return {
    name: plainText(values['function_name'] ?? ''),
    origin,
    packageType: values['package_type'] === 'Image' ? 'Image' : 'Zip',
    codePath: typeof filename === 'string' ? resolve(dirname(file), filename) : undefined,
    handler: plainText(values['handler'] ?? ''),
    runtime: plainText(values['runtime'] ?? ''),
    timeoutSeconds: typeof timeout === 'number' ? timeout : undefined,
    memoryMb: typeof megabytes === 'number' ? megabytes : undefined,
    environment: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, plainText(value)])),
    triggers: [],
    problems: [],
  }
}

/** A plan does not know the stream of a table that is not there, but whose it is. */
function triggerOf(
  values: JsonObject,
  arn: string | undefined,
  referred: string | undefined,
): TriggerDesign | undefined {
  if (values['enabled'] === false) return undefined
  const [, tableName = referred] = /:dynamodb:.*:table\/([^/]+)/.exec(arn ?? '') ?? []
  const [, streamName] = /:kinesis:.*:stream\/([^/]+)/.exec(arn ?? '') ?? []
  if (streamName === undefined && (tableName === undefined || /:(sqs|kafka|mq):/.test(arn ?? ''))) return undefined
  const failed = first(first(values['destination_config'])['on_failure'])['destination_arn']
  const patterns = listOf(first(values['filter_criteria'])['filter']).map((one) => ({
    Pattern: objectOf(one)['pattern'] ?? '{}',
  }))
  return {
    source: streamName === undefined ? { tableName: tableName ?? '' } : { streamName },
    startingPosition: values['starting_position'] === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON',
    settings: {
      ...wireNames(values, [
        'batch_size',
        'bisect_batch_on_function_error',
        'function_response_types',
        'maximum_batching_window_in_seconds',
        'maximum_record_age_in_seconds',
        'maximum_retry_attempts',
        'parallelization_factor',
        'tumbling_window_in_seconds',
      ]),
      ...(patterns.length > 0 && { FilterCriteria: { Filters: patterns } }),
      ...(typeof failed === 'string' && { DestinationConfig: { OnFailure: { Destination: failed } } }),
    },
  }
}
