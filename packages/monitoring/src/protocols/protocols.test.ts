import { Engine, openLmdbStore } from '@hashrange/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticateBySignature, createDispatch, type HttpHandler, type HttpResponse } from '@hashrange/server'
import { monitoringService } from '../monitoring-service.ts'
import { decodeCbor, encodeCbor } from '@hashrange/server'
import { monitoringWire } from './wire-services.ts'

let engine: Engine
let dispatch: HttpHandler
const logged: unknown[] = []

beforeAll(async () => {
  engine = await Engine.open({ store: await openLmdbStore({ memory: true }), services: [monitoringService()] })
  dispatch = createDispatch(engine, {
    authenticate: authenticateBySignature({ shared: true }),
    services: monitoringWire,
    logger: { error: (_, error) => logged.push(error) },
  })
})

afterAll(async () => {
  expect(logged).toEqual([])
  await engine.close()
})

function signedFor(service: string): { readonly authorization: string; readonly amzDate: string } {
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=key/20261115/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=abc`,
    amzDate: '20261115T000000Z',
  }
}

async function query(form: Record<string, string> | string): Promise<HttpResponse> {
  return dispatch({
    method: 'POST',
    target: '/',
    contentType: 'application/x-www-form-urlencoded; charset=utf-8',
    body: Buffer.from(typeof form === 'string' ? form : new URLSearchParams(form).toString()),
    ...signedFor('monitoring'),
  })
}

async function rpc(operation: string, body: Buffer): Promise<HttpResponse> {
  return dispatch({
    method: 'POST',
    target: `/service/GraniteServiceVersion20100801/operation/${operation}`,
    contentType: 'application/cbor',
    body,
    ...signedFor('monitoring'),
  })
}

async function json(target: string, input: unknown, service = 'monitoring'): Promise<HttpResponse> {
  return dispatch({
    method: 'POST',
    target: '/',
    contentType: 'application/x-amz-json-1.1',
    amzTarget: target,
    body: Buffer.from(JSON.stringify(input)),
    ...signedFor(service),
  })
}

function text({ body }: HttpResponse): string {
  return Buffer.from(body).toString('utf8')
}

const alarm = {
  AlarmName: 'by <form> & "quotes"',
  Namespace: 'AWS/DynamoDB',
  MetricName: 'ConsumedWriteCapacityUnits',
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 2,
  Threshold: 10.5,
  ComparisonOperator: 'GreaterThanThreshold',
}

describe('the Query protocol', () => {
  test('takes a form, with lists and structures in the names of its parameters', async () => {
    const response = await query({
      Action: 'PutMetricAlarm',
      Version: '2010-08-01',
      ...Object.fromEntries(Object.entries(alarm).map(([name, value]) => [name, String(value)])),
      ActionsEnabled: 'false',
      'Dimensions.member.1.Name': 'TableName',
      'Dimensions.member.1.Value': 'orders',
      'AlarmActions.member.1': 'https://example.com/hook',
    })
    expect(response.status).toBe(200)
    expect(text(response)).toMatch(
      /^<PutMetricAlarmResponse xmlns="http:\/\/monitoring.amazonaws.com\/doc\/2010-08-01\/"><ResponseMetadata><RequestId>\w+<\/RequestId><\/ResponseMetadata><\/PutMetricAlarmResponse>\n$/,
    )
  })

  test('answers in XML', async () => {
    const described = text(await query({ Action: 'DescribeAlarms', Version: '2010-08-01', MaxRecords: '5' }))
    expect(described).toContain('<DescribeAlarmsResponse')
    expect(described).toContain(
      '<MetricAlarms><member><AlarmName>by &lt;form&gt; &amp; &quot;quotes&quot;</AlarmName>',
    )
    expect(described).toContain('<ActionsEnabled>false</ActionsEnabled>')
    expect(described).toContain('<OKActions/>')
    expect(described).toContain(
      '<Dimensions><member><Name>TableName</Name><Value>orders</Value></member></Dimensions>',
    )
    expect(described).toContain('<Threshold>10.5</Threshold>')
    expect(described).toMatch(/<StateUpdatedTimestamp>\d{4}-\d\d-\d\dT[\d:.]+Z<\/StateUpdatedTimestamp>/)
  })

  test('tells errors with their codes', async () => {
    const response = await query({ Action: 'DeleteAlarms', 'AlarmNames.member.1': 'none' })
    expect(response.status).toBe(404)
    expect(text(response)).toContain(
      '<Error><Type>Sender</Type><Code>ResourceNotFound</Code><Message>Alarms [none] do not exist.</Message></Error>',
    )
    expect(text(await query({ Action: 'GetMetricStatistics' }))).toContain('<Code>MissingParameter</Code>')
    expect(text(await query({ Action: 'Dance' }))).toContain('<Code>InvalidAction</Code>')
    expect(text(await query({ Action: 'DescribeAlarms', MaxRecords: 'many' }))).toContain(
      '<Code>InvalidParameterValue</Code>',
    )
    expect(text(await query({ Action: 'DescribeAlarms', MaxRecords: '1000' }))).toContain(
      '<Code>ValidationError</Code>',
    )
  })

  test('reads times as they are written', async () => {
    for (const time of ['2026-11-15T12:00:00Z', '2026-11-15T12:00:00', '1794744000', '2026-11-15T13:00:00+01:00']) {
      const response = await query({
        Action: 'GetMetricStatistics',
        Namespace: 'AWS/DynamoDB',
        MetricName: 'UserErrors',
        StartTime: time,
        EndTime: '2026-11-15T12:01:00Z',
        Period: '60',
        'Statistics.member.1': 'Sum',
      })
      expect([time, response.status]).toEqual([time, 200])
    }
  })

  test('is not troubled by names that lead nowhere', async () => {
    const nested = Array(2000).fill('a').join('.')
    const response = await query(`Action=DescribeAlarms&${nested}=1&__proto__.a=1&AlarmNames.member.x=1&=`)
    expect(response.status).toBe(200)
  })
})

describe('RPC with CBOR', () => {
  test('answers in its own form', async () => {
    const response = await rpc('DescribeAlarms', encodeCbor({ AlarmNames: [alarm.AlarmName] }))
    expect(response.headers).toMatchObject({ 'smithy-protocol': 'rpc-v2-cbor', 'Content-Type': 'application/cbor' })
    expect(decodeCbor(response.body)).toMatchObject({ MetricAlarms: [{ Threshold: 10.5, Period: 60 }] })
  })

  test('tells errors with the code of the Query protocol in a header', async () => {
    const response = await rpc('DeleteAlarms', encodeCbor({ AlarmNames: ['none'] }))
    expect(response.status).toBe(404)
    expect(response.headers).toMatchObject({ 'x-amzn-query-error': 'ResourceNotFound;Sender' })
    expect(decodeCbor(response.body)).toMatchObject({ __type: 'ResourceNotFound' })
  })

  test.each([
    ['DescribeAlarms', Buffer.from('ff', 'hex')],
    ['DescribeAlarms', Buffer.from('01', 'hex')],
    ['Dance', Buffer.alloc(0)],
    ['DescribeAlarms/x', Buffer.alloc(0)],
    ['', Buffer.alloc(0)],
  ])('%s with %o is refused, not failed', async (operation, body) => {
    expect((await rpc(operation, body)).status).toBe(400)
  })
})

describe('AWS JSON', () => {
  test('reaches auto scaling and CloudWatch by their targets', async () => {
    const targets = await json(
      'AnyScaleFrontendService.DescribeScalableTargets',
      { ServiceNamespace: 'dynamodb' },
      'application-autoscaling',
    )
    expect([targets.status, text(targets)]).toEqual([200, '{"ScalableTargets":[]}'])
    expect(targets.headers['Content-Type']).toBe('application/x-amz-json-1.1')
    const alarms = await json('GraniteServiceVersion20100801.DescribeAlarms', {})
    expect(JSON.parse(text(alarms))).toMatchObject({ MetricAlarms: [{ AlarmName: alarm.AlarmName }] })
    expect(alarms.headers['Content-Type']).toBe('application/x-amz-json-1.0')
  })

  test('tells the code of the Query protocol where the service has one', async () => {
    const target = 'AnyScaleFrontendService.DescribeScalableTargets'
    const scaling = await json(target, { ServiceNamespace: 'kitchen' }, 'application-autoscaling')
    expect(JSON.parse(text(scaling))).toMatchObject({ __type: 'ValidationException' })
    expect(scaling.headers).not.toHaveProperty('x-amzn-query-error')
    const alarms = await json('GraniteServiceVersion20100801.DescribeAlarms', { StateValue: 'FINE' })
    expect(alarms.headers).toMatchObject({ 'x-amzn-query-error': 'ValidationError;Sender' })
  })

  test('is to be signed for the service that it names', async () => {
    const response = await json('GraniteServiceVersion20100801.DescribeAlarms', {}, 'dynamodb')
    expect(response.status).toBe(400)
    expect(text(response)).toContain("Credential should be scoped to correct service: 'monitoring'.")
  })

  test('refuses what it does not know', async () => {
    for (const target of [
      'AnyScaleFrontendService.Dance',
      'AnyScaleFrontendService.',
      'AnyScaleFrontendService.a.b',
    ]) {
      expect(text(await json(target, {}, 'application-autoscaling'))).toContain('UnknownOperationException')
    }
    const broken = await json('AnyScaleFrontendService.DescribeScalableTargets', 'text', 'application-autoscaling')
    expect(text(broken)).toContain('SerializationException')
  })
})
