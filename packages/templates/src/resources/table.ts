import { takeTableStep } from '../apply/carry-out.ts'
import { planTable } from '../apply/plan-table.ts'
import { tableScalingSteps } from '../apply/plan-scaling.ts'
import { removalOfReplicas } from '../apply/replica-steps.ts'
import { dynamodbTarget as target, servicesIn, type ResourcePort } from '../apply/resource-port.ts'
import { described, tablesIn } from '../apply/table-port.ts'
import { isMissing } from '../apply/unless-missing.ts'
import { designOfType, globalTable, whyNoReplicas } from '../cloudformation/table-resource.ts'
import { listOf, objectOf, plainText, TemplateError, type Json, type JsonObject } from '../table-design.ts'
import { changed, textOf, type ResourceKind } from './resource-kind.ts'
import { scaledParts } from './scaling.ts'

/** `AWS::DynamoDB::Table`, `AWS::DynamoDB::GlobalTable` with its replicas, and `AWS::Serverless::SimpleTable`. */
export function tableKind(type: string, region: string): ResourceKind {
  return {
    nameOf: ({ TableName }) => textOf(TableName),
    replacedBy: (before, after) => {
      const names = ['TableName', 'PrimaryKey', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification']
      return [...changed(names, before, after), ...(isRetyped(before, after) ? ['AttributeDefinitions'] : [])]
    },
    plan: async (port, id, properties) => {
      const problem = type === globalTable ? whyNoReplicas(properties['Replicas']) : undefined
      if (problem !== undefined) throw new TemplateError(`${problem[0]?.toUpperCase()}${problem.slice(1)}.`)
      const design = designOfType(type, id, id, properties, region)
      if (type !== globalTable) return planTable(port, { ...design, scaled: await scaledParts(port, id) })
      if (design.global?.region !== region)
        throw new TemplateError(
          'Invalid request provided: The Replicas section must contain an entry for the current region',
        )
      return planTable(port, design)
    },
    take: takeTableStep,
    remove: async (port, id, properties) => {
      if (type === globalTable) await removeReplicas(port, id, properties)
      const remove = { does: '', operation: 'DeleteTable', input: { TableName: id } }
      await takeTableStep(port, id, remove).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
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

/** With the table go its replicas, and the scaling of its capacity in every region. */
async function removeReplicas(port: ResourcePort, id: string, properties: JsonObject): Promise<void> {
  const answer = await described(tablesIn(port).request('DescribeTable', { TableName: id }))
  const current = objectOf(answer?.['Table'] as Json)
  for (const step of removalOfReplicas(id, current)) await takeTableStep(port, id, step)
  const regions = listOf(properties['Replicas']).map((replica) => plainText(objectOf(replica)['Region']))
  for (const region of regions) {
    const there = servicesIn(port, region)
    const ended = await tableScalingSteps(
      there,
      { name: id, origin: id, create: { TableName: id }, insights: false },
      [],
    )
    for (const step of ended) await takeTableStep(there, id, step)
  }
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
