import { ServiceError } from '@hashrange/core'
import { toPlain, type Scope } from '@hashrange/engine'
import { lambdaTarget, triggerReports, type TriggerReport } from '@hashrange/lambda'
import { pipesTarget } from '@hashrange/pipes'
import type {
  Consumer,
  EventsOverview,
  KinesisConsumer,
  MappingConsumer,
  PipeConsumer,
  TableEvents,
  WebhookConsumer,
} from '@hashrange/workbench/answers'
import { toWireInput } from '../../to-wire-input.ts'
import type { WorkbenchContext } from '../api-handler.ts'
import { may, type Visitor } from '../visitors/visitor.ts'

/** The consumers of one table, or of all that whoever asks may have described. What they may not see is left out, and
 *  said. */
export async function eventsOverview(
  context: WorkbenchContext,
  visitor: Visitor,
  scope: Scope,
  onlyTable: string | undefined,
): Promise<EventsOverview> {
  const { engine, consumers } = context
  const denied = new Set<string>()
  const visible = async <Found>(find: () => Promise<readonly Found[]>): Promise<readonly Found[]> => {
    try {
      return await find()
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'AccessDeniedException') throw error
      denied.add(error.message)
      return []
    }
  }
  const mappings = await visible(async () => {
    if (consumers === undefined) return []
    visitor.assertMay(scope, lambdaTarget, 'ListEventSourceMappings', {})
    return triggerReports(consumers.lambda, scope, onlyTable)
  })
  const pipes = await visible(() => pipesIn(engine.knows(pipesTarget, 'ListPipes'), visitor, scope))
  const webhooks = await visible(async () => {
    const found = ((await consumers?.webhookReports()) ?? []).filter(
      ({ accountId, region }) => accountId === scope.accountId && region === scope.region,
    )
    if (found.length > 0) visitor.assertMayOperate('hashrange:Read', '/_hashrange/webhooks')
    return found
  })
  const tables: TableEvents[] = []
  for (const tableName of onlyTable === undefined ? engine.catalog.names(scope) : [onlyTable]) {
    const definition = engine.catalog.find(scope, tableName)?.definition
    if (definition === undefined || !may(visitor, scope, dynamoDb, 'DescribeTable', { TableName: tableName }))
      continue
    const { stream } = definition
    const ofTable = (sourceArn: string): boolean => sourceArn.includes(`:table/${tableName}/stream/`)
    const kinesis = await visible(() => kinesisOf(engine.knows(dynamoDb, describing), visitor, scope, tableName))
    const found: Consumer[] = [
      ...mappings.filter(({ record }) => ofTable(record.sourceArn)).map(mappingConsumer),
      ...pipes.filter(({ Source }) => ofTable(Source)).map(pipeConsumer),
      ...kinesis,
      ...webhooks
        .filter((webhook) => webhook.tableName === tableName)
        .map(({ name, url, status, delivered, lastDeliveredAtMs, lastProblem }): WebhookConsumer => ({
          kind: 'webhook',
          id: name,
          origin: url,
          status,
          delivered,
          lastDeliveredAtMs: lastDeliveredAtMs ?? null,
          problem: lastProblem ?? null,
        })),
    ]
    if (found.length === 0 && stream === undefined && onlyTable === undefined) continue
    const arn = `arn:aws:dynamodb:${scope.region}:${scope.accountId}:table/${tableName}/stream/`
    tables.push({
      tableName,
      stream:
        stream === undefined
          ? null
          : { arn: `${arn}${stream.label}`, viewType: stream.viewType, isEnabled: stream.enabled },
      consumers: found,
    })
  }
  return { atMs: engine.clock.now(), tables, denied: [...denied] }
}

const dynamoDb = 'DynamoDB_20120810'
const describing = 'DescribeKinesisStreamingDestination'

function mappingConsumer({ record, description, isDeclared, waiting, figures }: TriggerReport): MappingConsumer {
  const settings = toWireInput(description) as Readonly<Record<string, unknown>>
  return {
    kind: 'mapping',
    id: record.uuid,
    functionName: record.functionName,
    isEnabled: record.isEnabled,
    isDeclared,
    settings,
    lastResult: String(settings['LastProcessingResult']),
    waiting,
    figures:
      figures === undefined
        ? null
        : {
            calls: figures.calls,
            failures: figures.failures,
            retries: figures.retries,
            records: figures.records,
            filtered: figures.filtered,
            discarded: figures.discarded,
            iteratorAgeMs: figures.iteratorAgeMs,
            lastFailure: figures.lastFailure ?? null,
            batches: figures.batches
              .toReversed()
              .map(({ failure, ...batch }) => ({ ...batch, failure: failure ?? null })),
          },
  }
}

interface ListedPipe {
  readonly Name: string
  readonly Source: string
  readonly Target: string
  readonly Enrichment?: string
  readonly CurrentState: string
  readonly StateReason?: string
}

const mostPipes = 1_000

async function pipesIn(isThere: boolean, visitor: Visitor, scope: Scope): Promise<readonly ListedPipe[]> {
  const found: ListedPipe[] = []
  let next: string | undefined
  do {
    if (!isThere) break
    const input = { Limit: 100, ...(next !== undefined && { NextToken: next }) }
    const page = toPlain(await visitor.execute(scope, pipesTarget, 'ListPipes', input)) as {
      readonly Pipes: readonly ListedPipe[]
      readonly NextToken?: string
    }
    found.push(...page.Pipes)
    next = page.NextToken
  } while (next !== undefined && found.length < mostPipes)
  return found
}

function pipeConsumer({ Name, Target, Enrichment, CurrentState, StateReason }: ListedPipe): PipeConsumer {
  return {
    kind: 'pipe',
    id: Name,
    name: Name,
    isEnabled: CurrentState === 'RUNNING',
    targetArn: Target,
    enrichmentArn: Enrichment ?? null,
    problem: StateReason ?? null,
  }
}

async function kinesisOf(
  isThere: boolean,
  visitor: Visitor,
  scope: Scope,
  TableName: string,
): Promise<readonly KinesisConsumer[]> {
  if (!isThere) return []
  const answer = toPlain(await visitor.execute(scope, dynamoDb, describing, { TableName })) as {
    readonly KinesisDataStreamDestinations?: readonly {
      readonly StreamArn: string
      readonly DestinationStatus: string
      readonly DestinationStatusDescription?: string
    }[]
  }
  return (answer.KinesisDataStreamDestinations ?? [])
    .filter(({ DestinationStatus }) => DestinationStatus !== 'DISABLED')
    .map(({ StreamArn, DestinationStatus, DestinationStatusDescription }) => ({
      kind: 'kinesis',
      id: StreamArn,
      streamArn: StreamArn,
      status: DestinationStatus,
      problem: DestinationStatusDescription ?? null,
    }))
}
