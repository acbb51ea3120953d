import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { eventOfRecord, lambdaTarget, type InvokeAnswer, type Lambda } from '@hashrange/lambda'
import type { FunctionLog, ReplayAnswer } from '@hashrange/workbench/answers'
import {
  ApiRefusal,
  type ApiCall,
  type ApiHandler,
  type JsonObject,
  type WorkbenchContext,
} from '../api-handler.ts'
import type { Visitor } from '../visitors/visitor.ts'
import { executeAudited } from '../execute-audited.ts'
import { eventsOverview } from './events-overview.ts'

/** Who gets the changes of tables:
 *
 *      events?account=…&region=…           with `{ table }` or without: consumers, how far they are, what went wrong
 *      events/log?…                        with `{ functionName, after }`: what the function has printed since
 *      events/replay?…                     with `{ functionName, streamArn, shardId, sequenceNumber }` */
export const events: ApiHandler = async (context, call) => {
  const { path, query, body, visitor } = call
  const scope = visitor.scopeIn(query)
  const [about] = path
  switch (about) {
    case undefined:
    case '': {
      const { table } = body
      return eventsOverview(context, visitor, scope, typeof table === 'string' ? table : undefined)
    }
    case 'log':
      return functionLog(lambdaOf(context), visitor, scope, body)
    case 'replay':
      return replay(context, call, scope)
    default:
      throw new ApiRefusal(
        404,
        'NotFound',
        'The workbench API only has events, events/log and events/replay of this.',
      )
  }
}

/** Whoever may call a function gets the end of what it prints with the answer, and so may see the rest here. */
async function functionLog(lambda: Lambda, visitor: Visitor, scope: Scope, body: JsonObject): Promise<FunctionLog> {
  const FunctionName = textIn(body, 'functionName')
  visitor.assertMay(scope, lambdaTarget, 'Invoke', { FunctionName })
  const { after } = body
  const lines = lambda.logs.after({ scope, name: FunctionName }, typeof after === 'number' ? after : 0)
  return { lines }
}

/** Sends one record to a function again. What was recorded as done stays as it is. */
async function replay(context: WorkbenchContext, call: ApiCall, scope: Scope): Promise<ReplayAnswer> {
  if (context.readOnly)
    throw new ApiRefusal(
      403,
      'ReadOnly',
      'This workbench is read-only, and functions may change data. To allow it, start hashrange without --workbench-read-only.',
    )
  const { body, visitor } = call
  const FunctionName = textIn(body, 'functionName')
  const record = {
    streamArn: textIn(body, 'streamArn'),
    shardId: textIn(body, 'shardId'),
    sequenceNumber: textIn(body, 'sequenceNumber'),
  }
  visitor.assertMay(scope, 'DynamoDBStreams_20120810', 'GetShardIterator', {
    StreamArn: record.streamArn,
    ShardId: record.shardId,
    ShardIteratorType: 'TRIM_HORIZON',
  })
  const event = await eventOfRecord(lambdaOf(context), scope, record)
  const startedAtMs = performance.now()
  const { payload, functionError, logTail } = (await executeAudited(context, call, scope, lambdaTarget, 'Invoke', {
    FunctionName,
    LogType: 'Tail',
    Payload: event.toString('base64'),
  })) as InvokeAnswer
  return {
    isFailed: functionError !== undefined,
    payload: payload.toString('utf8', 0, mostShownBytes),
    log: logTail?.toString('utf8') ?? '',
    durationMs: performance.now() - startedAtMs,
  }
}

const mostShownBytes = 256 * 1024

function lambdaOf({ consumers }: WorkbenchContext): Lambda {
  if (consumers === undefined) throw new ServiceError('ResourceNotFoundException', 'This server runs no functions.')
  return consumers.lambda
}

function textIn(body: JsonObject, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (typeof value === 'string' && value !== '' && value.length <= 2048) return value
  throw new ApiRefusal(400, 'BadRequest', `The request needs ${name}.`)
}
