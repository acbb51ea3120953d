import { validationException } from '@hashrange/core'
import {
  carryOut,
  designOf,
  listOf,
  objectOf,
  planTable,
  plainText,
  tableProperties,
  Template,
  type Json,
  type JsonObject,
  type TablePort,
} from '@hashrange/templates'
import { changed, textOf, unlessMissing, type ResourceKind, type ResourcePort } from './resource-kind.ts'

const target = 'DynamoDB_20120810'

/** `AWS::DynamoDB::Table`, and what becomes one: `AWS::DynamoDB::GlobalTable` is its replica in this region. */
export function tableKind(type: string, region: string): ResourceKind {
  const asTable = (properties: JsonObject): JsonObject =>
    tableProperties(type, properties, new Template({ Resources: {} }, '', { region, accountId: '' }))
  return {
    nameOf: ({ TableName }) => textOf(TableName),
    replacedBy: (before, after) => {
      const names = ['TableName', 'PrimaryKey', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification']
      return [...changed(names, before, after), ...(isRetyped(before, after) ? ['AttributeDefinitions'] : [])]
    },
    isThere: async (port, TableName) =>
      (await unlessMissing(port.call(target, 'DescribeTable', { TableName }))) !== undefined,
    put: async (port, id, properties) => {
      const known = asTable(properties)
      const tables = tablePort(port)
      const plan = await planTable(tables, designOf(id, id, known))
      if (plan.kind === 'replace')
        throw validationException(`The table ${id} cannot be updated, because ${plan.reason}.`)
      if (plan.kind === 'update') assertOneIndex(plan.steps.map(({ input }) => input))
      await carryOut(tables, plan)
      await streamTo(port, id, textOf(objectOf(known['KinesisStreamSpecification'])['StreamArn']))
      return id
    },
    remove: async (port, TableName) => {
      await unlessMissing(port.call(target, 'DeleteTable', { TableName }))
      for (let pauseMs = 5; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
        if ((await unlessMissing(port.call(target, 'DescribeTable', { TableName }))) === undefined) return
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    },
    attributes: async (port, TableName) => {
      const { Table } = await port.call(target, 'DescribeTable', { TableName })
      const { TableArn, LatestStreamArn, TableId } = objectOf(Table as Json)
      return {
        Arn: plainText(TableArn),
        TableId: plainText(TableId),
        ...(LatestStreamArn !== undefined && { StreamArn: plainText(LatestStreamArn) }),
      }
    },
  }
}

function tablePort(port: ResourcePort): TablePort {
  return { request: (operation, input) => port.call(target, operation, input) }
}

/** An attribute keeps its type; others may come and go. */
function isRetyped(before: JsonObject, after: JsonObject): boolean {
  const types = new Map(definitions(before))
  return definitions(after).some(([name, type]) => types.has(name) && types.get(name) !== type)
}

function definitions({ AttributeDefinitions }: JsonObject): readonly (readonly [string, string])[] {
  return listOf(AttributeDefinitions)
    .map(objectOf)
    .map(({ AttributeName, AttributeType }) => [plainText(AttributeName), plainText(AttributeType)] as const)
}

/** As CloudFormation does, though the table could. */
function assertOneIndex(inputs: readonly object[]): void {
  const updates = inputs.flatMap((input) =>
    listOf(objectOf(input as Json)['GlobalSecondaryIndexUpdates']).map(objectOf),
  )
  const made = updates.filter(({ Create, Delete }) => Create !== undefined || Delete !== undefined)
  if (made.length > 1)
    throw validationException('Cannot perform more than one GSI creation or deletion in a single update')
}

async function streamTo(port: ResourcePort, TableName: string, wanted: string | undefined): Promise<void> {
  const answer = await unlessMissing(port.call(target, 'DescribeKinesisStreamingDestination', { TableName }))
  const active = listOf(answer?.['KinesisDataStreamDestinations'] as Json)
    .map(objectOf)
    .filter(({ DestinationStatus }) => ['ACTIVE', 'ENABLING', 'UPDATING'].includes(plainText(DestinationStatus)))
    .map(({ StreamArn }) => plainText(StreamArn))
  for (const StreamArn of active) {
    if (StreamArn !== wanted)
      await port.call(target, 'DisableKinesisStreamingDestination', { TableName, StreamArn })
  }
  if (wanted !== undefined && !active.includes(wanted))
    await port.call(target, 'EnableKinesisStreamingDestination', { TableName, StreamArn: wanted })
}
