import { describe, expect, test } from 'vitest'
import { useTemplateFiles } from '../testing/template-files.ts'

const { read } = useTemplateFiles()

describe('Terraform', () => {
  const values = {
    name: 'scores',
    billing_mode: 'PROVISIONED',
    hash_key: 'user',
    range_key: 'game',
    read_capacity: 20,
    write_capacity: 10,
    attribute: ['user', 'game', 'top'].map((name) => ({ name, type: name === 'top' ? 'N' : 'S' })),
    global_secondary_index: [
      {
        name: 'byGame',
        hash_key: 'game',
        range_key: 'top',
        projection_type: 'INCLUDE',
        non_key_attributes: ['user'],
        read_capacity: 5,
        write_capacity: 5,
      },
    ],
    ttl: [{ attribute_name: 'until', enabled: true }],
    point_in_time_recovery: [{ enabled: true, recovery_period_in_days: 7 }],
    stream_enabled: true,
    stream_view_type: 'KEYS_ONLY',
    tags: { a: 'b' },
  }
  const expected = {
    name: 'scores',
    timeToLiveAttribute: 'until',
    recoveryDays: 7,
    create: {
      KeySchema: [
        { AttributeName: 'user', KeyType: 'HASH' },
        { AttributeName: 'game', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        { IndexName: 'byGame', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['user'] } },
      ],
      ProvisionedThroughput: { ReadCapacityUnits: 20, WriteCapacityUnits: 10 },
      Tags: [{ Key: 'a', Value: 'b' }],
    },
  }
  const resource = {
    address: 'aws_dynamodb_table.scores',
    mode: 'managed',
    type: 'aws_dynamodb_table',
    name: 'scores',
    values,
  }
  const other = { address: 'aws_s3_bucket.b', mode: 'managed', type: 'aws_s3_bucket', values: {} }

  test('plans', () => {
    const root_module = {
      resources: [other],
      child_modules: [{ resources: [resource, { ...resource, values: {} }] }],
    }
    const { tables, skipped, problems } = read(
      'plan.json',
      JSON.stringify({ format_version: '1.2', planned_values: { root_module } }),
    )
    expect(tables).toMatchObject([expected])
    expect(skipped).toEqual([{ name: 'aws_s3_bucket.b', type: 'aws_s3_bucket' }])
    expect(problems).toHaveLength(1)
  })

  test('states', () => {
    const raw = {
      version: 4,
      terraform_version: '1.9',
      resources: [
        { mode: 'managed', type: 'aws_dynamodb_table', name: 'scores', instances: [{ attributes: values }] },
      ],
    }
    expect(read('terraform.tfstate', JSON.stringify(raw)).tables).toMatchObject([expected])
  })
})

test('a plan of Terraform declares scaling, alarms, streams, and functions with what calls them', () => {
  const resource = (address: string, values: object) => ({
    mode: 'managed',
    address,
    type: address.split('.')[0],
    values,
  })
  const scaled = {
    resource_id: 'table/orders',
    scalable_dimension: 'dynamodb:table:ReadCapacityUnits',
    service_namespace: 'dynamodb',
  }
  const plan = {
    planned_values: {
      root_module: {
        resources: [
          resource('aws_dynamodb_table.orders', {
            name: 'orders',
            hash_key: 'pk',
            attribute: [{ name: 'pk', type: 'S' }],
            billing_mode: 'PROVISIONED',
            read_capacity: 1,
            write_capacity: 1,
          }),
          resource('aws_dynamodb_contributor_insights.i', { table_name: 'orders' }),
          resource('aws_dynamodb_resource_policy.p', { policy: '{}' }),
          resource('aws_appautoscaling_target.t', { ...scaled, min_capacity: 1, max_capacity: 9 }),
          resource('aws_appautoscaling_target.ecs', { service_namespace: 'ecs' }),
          resource('aws_appautoscaling_policy.p', {
            ...scaled,
            name: 'reads',
            policy_type: 'TargetTrackingScaling',
            target_tracking_scaling_policy_configuration: [
              {
                target_value: 70,
                scale_in_cooldown: null,
                predefined_metric_specification: [{ predefined_metric_type: 'DynamoDBReadCapacityUtilization' }],
              },
            ],
          }),
          resource('aws_cloudwatch_metric_alarm.a', {
            alarm_name: 'throttled',
            namespace: 'AWS/DynamoDB',
            metric_name: 'ThrottledRequests',
            dimensions: { TableName: 'orders' },
            threshold: 1,
            ok_actions: [],
          }),
          resource('aws_kinesis_stream.s', { name: 'changes', shard_count: 2, retention_period: 48 }),
          resource('aws_lambda_function.f', {
            function_name: 'on-order',
            filename: 'build/f.zip',
            handler: 'index.handler',
            runtime: 'nodejs20.x',
            timeout: 9,
            environment: [{ variables: { TABLE: 'orders' } }],
          }),
          resource('aws_lambda_event_source_mapping.m', { starting_position: 'LATEST', batch_size: 5 }),
          resource('aws_lambda_event_source_mapping.q', { event_source_arn: 'arn:aws:sqs:us-east-1:1:q' }),
        ],
      },
    },
    configuration: {
      root_module: {
        resources: [
          {
            address: 'aws_lambda_event_source_mapping.m',
            expressions: {
              event_source_arn: {
                references: ['aws_dynamodb_table.orders.stream_arn', 'aws_dynamodb_table.orders'],
              },
              function_name: { references: ['aws_lambda_function.f.arn', 'aws_lambda_function.f'] },
            },
          },
          {
            address: 'aws_dynamodb_resource_policy.p',
            expressions: { resource_arn: { references: ['aws_dynamodb_table.orders.arn'] } },
          },
        ],
      },
    },
  }
  const { tables, resources, functions, skipped, problems } = read('tf/plan.json', JSON.stringify(plan))
  expect(problems).toEqual([])
  expect(tables).toMatchObject([
    { name: 'orders', insights: true, resourcePolicy: '{}', scaled: new Set([':ReadCapacityUnits']) },
  ])
  expect(resources.map(({ type, name }) => [type.split('::')[2], name])).toEqual([
    ['ScalableTarget', 'aws_appautoscaling_target.t'],
    ['ScalingPolicy', 'reads'],
    ['Alarm', 'throttled'],
    ['Stream', 'changes'],
  ])
  expect(resources[1]?.properties).toMatchObject({
    ResourceId: 'table/orders',
    TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
  })
  expect(resources[2]?.properties).toMatchObject({ Dimensions: [{ Name: 'TableName', Value: 'orders' }] })
  expect(functions).toMatchObject([
    {
      name: 'on-order',
      codePath: expect.stringMatching(/build.f\.zip$/) as string,
      timeoutSeconds: 9,
      triggers: [{ source: { tableName: 'orders' }, startingPosition: 'LATEST', settings: { BatchSize: 5 } }],
    },
  ])
  expect(skipped.map(({ name }) => name)).toEqual([
    'aws_appautoscaling_target.ecs',
    'aws_lambda_event_source_mapping.q',
  ])
})
