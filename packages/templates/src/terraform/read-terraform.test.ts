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

test('event sources find their tables and functions through modules, aliases and indexes', () => {
  const resource = (address: string, values: object): object => ({
    address,
    mode: 'managed',
    type: /(aws_\w+)\.\w+(\[0\])?$/.exec(address)?.[1] ?? '',
    values,
  })
  const refersTo = (...references: readonly string[]): object => ({ references })
  const plan = {
    planned_values: {
      root_module: {
        child_modules: [
          {
            resources: [
              resource('module.table.aws_dynamodb_table.this[0]', {
                name: 'orders',
                hash_key: 'pk',
                attribute: [{ name: 'pk', type: 'S' }],
                billing_mode: 'PAY_PER_REQUEST',
                stream_enabled: true,
              }),
            ],
          },
          {
            resources: [
              resource('module.app[0].aws_lambda_function.worker', {
                function_name: 'worker',
                runtime: 'nodejs20.x',
              }),
              resource('module.app[0].aws_lambda_alias.live', { name: 'live' }),
              resource('module.app[0].aws_lambda_event_source_mapping.changes', {
                starting_position: 'LATEST',
                destination_config: [{ on_failure: [{ destination_arn: 'arn:aws:sqs:us-east-1:1:failed' }] }],
              }),
            ],
          },
        ],
      },
    },
    configuration: {
      root_module: {
        module_calls: {
          table: {
            module: {
              outputs: { stream_arn: { expression: refersTo('aws_dynamodb_table.this[0].stream_arn') } },
              resources: [{ address: 'aws_dynamodb_table.this', expressions: {} }],
            },
          },
          app: {
            expressions: {
              stream_arn: refersTo('module.table.stream_arn', 'module.table'),
              // Nothing comes of what refers to itself.
              itself: refersTo('module.app.itself'),
            },
            module: {
              outputs: { itself: { expression: refersTo('var.itself') } },
              resources: [
                {
                  address: 'aws_lambda_alias.live',
                  expressions: {
                    function_name: refersTo(
                      'aws_lambda_alias.live',
                      'var.itself',
                      'aws_lambda_function.worker.arn',
                    ),
                  },
                },
                {
                  address: 'aws_lambda_event_source_mapping.changes',
                  expressions: {
                    event_source_arn: refersTo('var.stream_arn'),
                    function_name: refersTo('aws_lambda_alias.live.arn', 'aws_lambda_alias.live'),
                  },
                },
              ],
            },
          },
        },
      },
    },
  }
  const { functions, problems } = read('tf/modules.json', JSON.stringify(plan))
  expect(problems).toEqual([])
  expect(functions).toMatchObject([
    {
      name: 'worker',
      triggers: [
        {
          source: { tableName: 'orders' },
          settings: { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:us-east-1:1:failed' } } },
        },
      ],
    },
  ])
})

test('an event source that names an alias belongs to its function', () => {
  const state = {
    terraform_version: '1.9.0',
    resources: [
      {
        mode: 'managed',
        type: 'aws_lambda_function',
        name: 'f',
        instances: [{ attributes: { function_name: 'worker', runtime: 'nodejs20.x' } }],
      },
      {
        mode: 'managed',
        type: 'aws_lambda_event_source_mapping',
        name: 'm',
        instances: [
          {
            attributes: {
              function_name: 'arn:aws:lambda:us-east-1:111122223333:function:worker:live',
              event_source_arn: 'arn:aws:dynamodb:us-east-1:111122223333:table/orders/stream/s',
            },
          },
        ],
      },
    ],
  }
  expect(read('tf/state.json', JSON.stringify(state)).functions).toMatchObject([
    { name: 'worker', triggers: [{ source: { tableName: 'orders' } }] },
  ])
})
