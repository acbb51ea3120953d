import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling'
import { CloudWatch } from '@aws-sdk/client-cloudwatch'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { IAM } from '@aws-sdk/client-iam'
import { STS } from '@aws-sdk/client-sts'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The services beside DynamoDB are closed too, and their policies are about their own actions and ARNs. */
const account = '123456789012'
const region = 'us-west-2'
let db: Database
let config: object

const allow = (Action: string, Resource: string) => ({
  policies: { p: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] } },
})
const key = (id: string) => ({ accessKeys: [{ id, secret: `the secret of ${id}` }] })

beforeAll(async () => {
  db = await open({
    accountId: account,
    region,
    auth: {
      identities: {
        users: {
          alarmist: { ...key('ALARMIST'), ...allow('cloudwatch:*', `arn:aws:cloudwatch:*:*:alarm:mine-*`) },
          scaler: { ...key('SCALER'), ...allow('application-autoscaling:*', '*') },
          manager: {
            ...key('MANAGER'),
            ...allow('iam:*AccessKey*', `arn:aws:iam::${account}:user/\${aws:username}`),
          },
          nobody: key('NOBODY'),
        },
      },
    },
  })
  const { endpoint } = await db.listen()
  config = { endpoint, region, maxAttempts: 1 }
})

afterAll(() => db.close())

test('CloudWatch: alarms by their names', async () => {
  const alarmist = new CloudWatch(as('ALARMIST'))
  await alarmist.deleteAlarms({ AlarmNames: ['mine-1'] }).catch(expectNotDenied)
  await expect(alarmist.deleteAlarms({ AlarmNames: ['mine-1', 'yours-1'] })).rejects.toThrow(
    /cloudwatch:DeleteAlarms on resource: arn:aws:cloudwatch:us-west-2:123456789012:alarm:yours-1 because no identity-based policy/,
  )
  await expect(alarmist.listMetrics({})).rejects.toThrow(/cloudwatch:ListMetrics on resource: \*/)
})

test('Application Auto Scaling', async () => {
  const describe = { ServiceNamespace: 'dynamodb' as const }
  await new ApplicationAutoScaling(as('SCALER')).describeScalableTargets(describe)
  await expect(new ApplicationAutoScaling(as('NOBODY')).describeScalableTargets(describe)).rejects.toThrow(
    /not authorized to perform: application-autoscaling:DescribeScalableTargets/,
  )
})

test('IAM: users may be allowed to manage themselves', async () => {
  const manager = new IAM(as('MANAGER'))
  expect((await manager.listAccessKeys({})).AccessKeyMetadata).toHaveLength(1)
  expect((await manager.listAccessKeys({ UserName: 'manager' })).AccessKeyMetadata).toHaveLength(1)
  await expect(manager.createAccessKey({ UserName: 'nobody' })).rejects.toThrow(
    /iam:CreateAccessKey on resource: arn:aws:iam::123456789012:user\/nobody/,
  )
  await expect(manager.getAccessKeyLastUsed({ AccessKeyId: 'NOBODY' })).rejects.toThrow(/iam:GetAccessKeyLastUsed/)
  await expect(manager.listUsers({})).rejects.toThrow(/iam:ListUsers on resource: arn:aws:iam::123456789012:user\//)
})

test('STS: who somebody is needs no permission', async () => {
  expect(await new STS(as('NOBODY')).getCallerIdentity({})).toMatchObject({
    Arn: `arn:aws:iam::${account}:user/nobody`,
  })
})

test('Streams', async () => {
  await expect(new DynamoDBStreams(as('NOBODY')).listStreams({})).rejects.toThrow(
    /dynamodb:ListStreams on resource/,
  )
  const iterator = `arn:aws:dynamodb:${region}:${account}:table/x/stream/2026-01-01T00:00:00.000|1|AAAA`
  await expect(new DynamoDBStreams(as('NOBODY')).getRecords({ ShardIterator: iterator })).rejects.toThrow(
    /dynamodb:GetRecords on resource: arn:aws:dynamodb:us-west-2:123456789012:table\/x\/stream\/2026-01-01T00:00:00.000 /,
  )
})

function as(accessKeyId: string): object {
  return { ...config, credentials: { accessKeyId, secretAccessKey: `the secret of ${accessKeyId}` } }
}

function expectNotDenied(error: unknown): void {
  expect(String(error)).not.toContain('not authorized')
}
