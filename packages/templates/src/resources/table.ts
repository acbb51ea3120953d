import { settleTable, withArn } from '../apply/carry-out.ts'
import { planTable } from '../apply/plan-table.ts'
import type { TablePort } from '../apply/table-port.ts'
import { unlessMissing } from '../apply/unless-missing.ts'
import { tableProperties } from '../cloudformation/read-cloudformation.ts'
import { Template } from '../cloudformation/template.ts'
import { designOf } from '../design-of.ts'
import { listOf, objectOf, plainText, type Json, type JsonObject } from '../table-design.ts'
import { changed, dynamodbTarget as target, textOf, type ResourceKind, type ResourcePort } from './resource-kind.ts'
import { autoScalingTarget, scaledIndexes } from './scaling.ts'

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
    plan: async (port, id, properties) => {
      const scaled = await scaledParts(port, id)
      return planTable(tablePort(port), { ...designOf(id, id, asTable(properties)), scaled })
    },
    completed: (port, id, step) => withArn(tablePort(port), step, id),
    settle: (port, id, step) => settleTable(tablePort(port), id, step),
    remove: async (port, TableName) => {
      await unlessMissing(port.call(target, 'DeleteTable', { TableName }))
      await settleTable(tablePort(port), TableName, { does: '', operation: 'DeleteTable', input: {} })
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

/** What auto scaling has set is not set back because something else of the table changes. */
async function scaledParts(port: ResourcePort, id: string): Promise<ReadonlySet<string>> {
  const found = await port.call(autoScalingTarget, 'DescribeScalableTargets', { ServiceNamespace: 'dynamodb' })
  const ids = listOf(found['ScalableTargets'] as Json).map((one) => plainText(objectOf(one)['ResourceId']))
  return scaledIndexes(ids, id)
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
