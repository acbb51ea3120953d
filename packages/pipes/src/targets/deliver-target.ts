import { validationException } from '@hashrange/core'
import { toPlain, type Scope } from '@hashrange/engine'
import { lambdaTarget } from '@hashrange/lambda'
import { isApiDestinationArn } from '../destinations/destination-record.ts'
import { httpCallOf, type HttpParameters } from '../destinations/http-call.ts'
import type { Pipes } from '../pipes.ts'
import type { PipeSettings } from '../records/pipe-record.ts'
import { fillTemplate, valueAt } from '../transform/input-template.ts'
import { attributeValues } from './attribute-values.ts'

/** Refuses what a pipe cannot do here. */
export function assertSupported({ Source, Enrichment = '', Target }: PipeSettings): void {
  if (!/^arn:aws:(dynamodb:[^:]*:\d{12}:table\/[^/]+\/stream\/.+|kinesis:[^:]*:\d{12}:stream\/.+)$/.test(Source)) {
    throw validationException('The source of a pipe must be a stream of DynamoDB or Kinesis.')
  }
  if (Enrichment !== '' && !isFunction(Enrichment)) {
    throw validationException('The enrichment of a pipe must be a Lambda function.')
  }
  if (!isFunction(Target) && !isStream(Target) && !isTable(Target) && !isApiDestinationArn(Target)) {
    throw validationException(
      'The target of a pipe must be a Lambda function, a Kinesis stream, an API destination or a DynamoDB table.',
    )
  }
}

/** The answer of a function to a batch: a list of events, or one. */
export async function enrich(pipes: Pipes, scope: Scope, settings: PipeSettings, events: readonly unknown[]) {
  const { Enrichment = '', EnrichmentParameters } = settings
  if (Enrichment === '') return events
  const input = events.map((event) => fillTemplate(EnrichmentParameters?.InputTemplate, event))
  const answer = await invoke(pipes, scope, Enrichment, input)
  return Array.isArray(answer)
    ? (answer as readonly unknown[])
    : answer === null || answer === undefined
      ? []
      : [answer]
}

export async function deliver(
  pipes: Pipes,
  scope: Scope,
  { Target, TargetParameters }: PipeSettings,
  events: readonly unknown[],
): Promise<void> {
  if (events.length === 0) return
  const inputs = events.map((event) => fillTemplate(TargetParameters?.InputTemplate, event))
  if (isFunction(Target)) {
    await invoke(pipes, scope, Target, inputs)
  } else if (isStream(Target)) {
    const wanted = TargetParameters?.KinesisStreamParameters?.PartitionKey ?? '$.eventID'
    for (let at = 0; at < inputs.length; at += 500) {
      const Records = inputs.slice(at, at + 500).map((input, index) => ({
        PartitionKey: partitionKey(wanted, events[at + index]),
        Data: Buffer.from(typeof input === 'string' ? input : JSON.stringify(input)).toString('base64'),
      }))
      const answer = await pipes.execute(scope, 'Kinesis_20131202', 'PutRecords', { StreamARN: Target, Records })
      const { FailedRecordCount } = answer as { readonly FailedRecordCount: number }
      if (FailedRecordCount > 0) throw new Error(`${FailedRecordCount} records were throttled`)
    }
  } else if (isApiDestinationArn(Target)) {
    await call(pipes, scope, Target, TargetParameters?.HttpParameters ?? {}, events, inputs)
  } else {
    for (const input of inputs) {
      const Item = attributeValues(input)
      await pipes.execute(scope, 'DynamoDB_20120810', 'PutItem', { TableName: Target, Item })
    }
  }
}

/** Throws `TooEarly` if the target takes no more calls at the moment. */
export async function assertMayCall({ endpoints, rates }: Pipes, scope: Scope, arn: string): Promise<void> {
  if (!isApiDestinationArn(arn)) return
  const { rateLimitPerSecond } = await endpoints.requireArn(scope, 'api-destination', arn)
  rates.assertMayCall(arn, rateLimitPerSecond)
}

/** An API destination takes one event at a time. */
async function call(
  { endpoints, http, rates, tokens }: Pipes,
  scope: Scope,
  arn: string,
  parameters: HttpParameters,
  events: readonly unknown[],
  inputs: readonly unknown[],
): Promise<void> {
  const destination = await endpoints.requireArn(scope, 'api-destination', arn)
  const connection = await endpoints.requireArn(scope, 'connection', destination.connectionArn)
  if (http === undefined) throw new Error('URLs cannot be called from here')
  const token = await tokens.of(connection, http)
  rates.called(arn, destination.rateLimitPerSecond, inputs.length)
  for (const [index, input] of inputs.entries()) {
    const failure = await http.call(httpCallOf(destination, connection, parameters, events[index], input, token))
    if (failure === undefined) continue
    tokens.forget(connection)
    throw new Error(`the API destination ${destination.name} failed: ${failure}`)
  }
}

function partitionKey(wanted: string, event: unknown): string {
  const value = wanted.startsWith('$') ? valueAt(event, wanted) : wanted
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? 'none')
  return text === '' ? 'none' : text.slice(0, 256)
}

async function invoke(pipes: Pipes, scope: Scope, FunctionName: string, input: unknown): Promise<unknown> {
  const Payload = Buffer.from(JSON.stringify(input)).toString('base64')
  const answer = (await pipes.execute(scope, lambdaTarget, 'Invoke', { FunctionName, Payload })) as {
    readonly payload?: Uint8Array
    readonly functionError?: string
  }
  const text = Buffer.from(answer.payload ?? []).toString('utf8')
  if (answer.functionError !== undefined)
    throw new Error(`the function ${FunctionName} failed: ${text.slice(0, 500)}`)
  return text === '' ? undefined : toPlain(JSON.parse(text) as unknown)
}

function isFunction(arn: string): boolean {
  return /^arn:aws:lambda:[^:]*:\d{12}:function:/.test(arn)
}

function isStream(arn: string): boolean {
  return /^arn:aws:kinesis:[^:]*:\d{12}:stream\/[^/]+$/.test(arn)
}

function isTable(arn: string): boolean {
  return /^arn:aws:dynamodb:[^:]*:\d{12}:table\/[^/]+$/.test(arn)
}
