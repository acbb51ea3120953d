import { ServiceError, validationException } from '@hashrange/core'
import { readTableName, type Scope, type TableDefinition } from '@hashrange/engine'
import type {
  DescribeDestinationInput,
  DestinationInput,
  UpdateDestinationInput,
} from '../../api/destination-inputs.ts'
import { cursorFromNow } from '../../changes/log-cursor.ts'
import { destinationHolder, isDelivering, type DestinationRecord } from '../../destinations/destination-record.ts'
import type { Kinesis } from '../../kinesis.ts'

export async function enableKinesisStreamingDestination(kinesis: Kinesis, scope: Scope, input: DestinationInput) {
  const table = requireTable(kinesis, scope, input.TableName)
  const { tableName, tableId } = table
  const { StreamArn: streamArn, EnableKinesisStreamingConfiguration: configuration } = input
  const precision = configuration?.ApproximateCreationDateTimePrecision
  if (!streamArnPattern.test(streamArn)) throw validationException(`Invalid StreamArn: ${streamArn}`)
  const others = await kinesis.destinations.ofTable(scope, table)
  if (others.some(isDelivering)) {
    throw wrongState(
      'EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.',
    )
  }
  const held = await kinesis.logs.hold(scope, tableName, destinationHolder, true)
  const cursor = await cursorFromNow(kinesis.logs, held)
  const record: DestinationRecord = {
    tableName,
    tableId,
    streamArn,
    status: 'ENABLING',
    ...(precision !== undefined && { precision }),
    cursor,
  }
  await kinesis.destinations.records.change(scope, [tableName, streamArn], () => record)
  // The configuration is in the response even if the request has none.
  return {
    ...named(record),
    EnableKinesisStreamingConfiguration: {
      ...(precision !== undefined && { ApproximateCreationDateTimePrecision: precision }),
    },
  }
}

export async function disableKinesisStreamingDestination(kinesis: Kinesis, scope: Scope, input: DestinationInput) {
  const table = requireTable(kinesis, scope, input.TableName)
  const record = await change(kinesis, scope, table, input.StreamArn, (current) => {
    if (current?.status !== 'ACTIVE') {
      throw wrongState('KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.')
    }
    return { ...current, status: 'DISABLING' }
  })
  return named(record)
}

export async function updateKinesisStreamingDestination(
  kinesis: Kinesis,
  scope: Scope,
  input: UpdateDestinationInput,
) {
  const table = requireTable(kinesis, scope, input.TableName)
  const { tableName, tableUuid } = table
  const { StreamArn: streamArn } = input
  const precision = input.UpdateKinesisStreamingConfiguration?.ApproximateCreationDateTimePrecision
  if (precision === undefined) {
    throw validationException(
      'Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values',
    )
  }
  const record = await change(kinesis, scope, table, streamArn, (current) => {
    if (current === undefined) {
      throw wrongState(
        `No streaming destination with streamArn: ${streamArn} found for table with tableName: ${tableName}`,
      )
    }
    if (current.status !== 'ACTIVE') {
      throw wrongState(
        `Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: ${tableName}`,
      )
    }
    if ((current.precision ?? 'MILLISECOND') === precision) {
      throw validationException(
        `Invalid Request: Precision is already set to the desired value of ${precision} for tableId: ${tableUuid}, kdsArn: ${streamArn}`,
      )
    }
    return { ...current, precision, status: 'UPDATING' }
  })
  return {
    ...named(record),
    UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: precision },
  }
}

export async function describeKinesisStreamingDestination(
  kinesis: Kinesis,
  scope: Scope,
  input: DescribeDestinationInput,
) {
  const table = requireTable(kinesis, scope, input.TableName)
  const records = await kinesis.destinations.ofTable(scope, table)
  return {
    TableName: table.tableName,
    KinesisDataStreamDestinations: records.map(({ streamArn, status, statusDescription, precision }) => ({
      StreamArn: streamArn,
      DestinationStatus: status,
      ...(statusDescription !== undefined && { DestinationStatusDescription: statusDescription }),
      ...(precision !== undefined && { ApproximateCreationDateTimePrecision: precision }),
    })),
  }
}

const streamArnPattern = /^arn:aws[a-z-]{0,20}:kinesis:[a-z0-9-]{1,64}:\d{12}:stream\/[a-zA-Z0-9_.-]{1,128}$/

function requireTable(kinesis: Kinesis, scope: Scope, nameOrArn: string): TableDefinition {
  const table = kinesis.definitionOf(scope, readTableName(scope, nameOrArn))
  if (table === undefined) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${nameOrArn} not found`,
    )
  }
  return table
}

async function change(
  { destinations }: Kinesis,
  scope: Scope,
  { tableName, tableId }: TableDefinition,
  streamArn: string,
  decide: (current: DestinationRecord | undefined) => DestinationRecord,
): Promise<DestinationRecord> {
  let changed: DestinationRecord | undefined
  await destinations.records.change(scope, [tableName, streamArn], (current) => {
    changed = decide(current?.tableId === tableId ? current : undefined)
    return changed
  })
  if (changed === undefined) throw new Error('a destination was changed without a decision')
  return changed
}

function named({ tableName, streamArn, status }: DestinationRecord) {
  return { TableName: tableName, StreamArn: streamArn, DestinationStatus: status }
}

function wrongState(reason: string): ServiceError {
  return validationException(`Table is not in a valid state to enable Kinesis Streaming Destination: ${reason}`)
}
