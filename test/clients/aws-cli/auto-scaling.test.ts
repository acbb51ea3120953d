import { expect, test } from 'vitest'
import { needsAwsCli, run } from '../../support/programs.ts'
import { describeIf } from '../../support/requirement.ts'
import { servedDatabase } from '../../support/targets.ts'
import { awsCommand } from './aws-command.ts'

/** As they stand in an article on DynamoDB. */
const commands = `
# Create table with provisioned capacity + auto-scaling
aws dynamodb create-table \\
 --table-name orders \\
 --attribute-definitions \\
 AttributeName=customerId,AttributeType=S \\
 AttributeName=orderId,AttributeType=S \\
 --key-schema \\
 AttributeName=customerId,KeyType=HASH \\
 AttributeName=orderId,KeyType=RANGE \\
 --billing-mode PROVISIONED \\
 --provisioned-throughput ReadCapacityUnits=100,WriteCapacityUnits=50

# Enable auto-scaling
aws application-autoscaling register-scalable-target \\
 --service-namespace dynamodb \\
 --resource-id table/orders \\
 --scalable-dimension dynamodb:table:WriteCapacityUnits \\
 --min-capacity 10 \\
 --max-capacity 1000

aws application-autoscaling put-scaling-policy \\
 --service-namespace dynamodb \\
 --resource-id table/orders \\
 --scalable-dimension dynamodb:table:WriteCapacityUnits \\
 --policy-name orders-write-scaling \\
 --policy-type TargetTrackingScaling \\
 --target-tracking-scaling-policy-configuration '{
 "TargetValue": 70.0,
 "PredefinedMetricSpecification": {
 "PredefinedMetricType": "DynamoDBWriteCapacityUtilization"
 }
 }'
`

describeIf(needsAwsCli, 'auto scaling with the AWS CLI', () => {
  const { endpoint } = servedDatabase()
  const scaling = awsCommand(endpoint, 'application-autoscaling')
  const cloudWatch = awsCommand(endpoint, 'cloudwatch')

  test('commands run as they stand, with the endpoint in the environment alone', async () => {
    const script = `set -e\nexport AWS_ENDPOINT_URL='${endpoint()}'\n${commands}`
    const { code, stdout, stderr } = await run('sh', ['-c', script])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('"ScalableTargetARN": "arn:aws:application-autoscaling:us-east-1:')
    expect(stdout).toContain('"AlarmName": "TargetTracking-table/orders-AlarmHigh-')
  })

  test('what they made is described', async () => {
    const namespace = { 'service-namespace': 'dynamodb' }
    expect(await scaling('describe-scalable-targets', namespace)).toMatchObject({
      ScalableTargets: [
        {
          ResourceId: 'table/orders',
          ScalableDimension: 'dynamodb:table:WriteCapacityUnits',
          MinCapacity: 10,
          MaxCapacity: 1000,
        },
      ],
    })
    expect(await scaling('describe-scaling-policies', namespace)).toMatchObject({
      ScalingPolicies: [
        {
          PolicyName: 'orders-write-scaling',
          TargetTrackingScalingPolicyConfiguration: { TargetValue: 70 },
          Alarms: [{}, {}, {}, {}],
        },
      ],
    })
    expect(
      await cloudWatch('describe-alarms', { 'alarm-name-prefix': 'TargetTracking-table/orders' }),
    ).toMatchObject({ MetricAlarms: [{ Threshold: 2100 }, { Threshold: 1500 }, {}, {}] })
  })

  test('capacity outside the bounds is brought inside, and told of', async () => {
    const target = {
      'service-namespace': 'dynamodb',
      'resource-id': 'table/orders',
      'scalable-dimension': 'dynamodb:table:WriteCapacityUnits',
    }
    await scaling('register-scalable-target', { ...target, 'min-capacity': '60' })
    await expect
      .poll(() => scaling('describe-scaling-activities', { 'service-namespace': 'dynamodb' }))
      .toMatchObject({
        ScalingActivities: [
          {
            Description: 'Setting write capacity units to 60.',
            Cause: 'minimum capacity was set to 60',
            StatusCode: 'Successful',
          },
        ],
      })
    await scaling('put-scheduled-action', {
      ...target,
      'scheduled-action-name': 'evening',
      schedule: 'cron(0 20 * * ? *)',
      timezone: 'Europe/Berlin',
      'scalable-target-action': 'MinCapacity=5,MaxCapacity=50',
    })
    expect(await scaling('describe-scheduled-actions', { 'service-namespace': 'dynamodb' })).toMatchObject({
      ScheduledActions: [{ ScheduledActionName: 'evening', Timezone: 'Europe/Berlin' }],
    })
    await expect(
      scaling('register-scalable-target', { ...target, 'resource-id': 'table/none', 'min-capacity': '1' }),
    ).rejects.toThrow('An error occurred (ValidationException) when calling the RegisterScalableTarget operation')
    await scaling('deregister-scalable-target', target)
    await expect(scaling('deregister-scalable-target', target)).rejects.toThrow(
      'An error occurred (ObjectNotFoundException) when calling the DeregisterScalableTarget operation: No scalable target found for service namespace: dynamodb, resource ID: table/orders, scalable dimension: dynamodb:table:WriteCapacityUnits',
    )
  })
})
