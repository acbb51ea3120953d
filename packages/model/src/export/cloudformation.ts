import type { ModelDescription, TableDescription } from '../description.ts'
import { createTableInput } from './create-table-inputs.ts'
import { globalTableProperties, streamOf } from './global-table-properties.ts'
import { distinctNames, pascalCase } from './source-text.ts'
import type { Json } from './yaml.ts'
import { toYaml } from './yaml.ts'

/** The tables as a CloudFormation template. They outlive their stack: data is not deleted because a line was. */
export function cloudFormation(description: ModelDescription, format: 'yaml' | 'json' = 'yaml'): string {
  const template = cloudFormationTemplate(description)
  return format === 'json' ? `${JSON.stringify(template, undefined, 2)}\n` : toYaml(template)
}

export function cloudFormationTemplate(description: ModelDescription): { readonly [name: string]: Json } {
  const ids = distinctNames(description.tables, ({ id }) => `${pascalCase(id)}Table`)
  const resources: Record<string, Json> = {}
  const outputs: Record<string, Json> = {}
  description.tables.forEach((table, i) => {
    const id = ids[i] ?? ''
    resources[id] = {
      Type: table.global === undefined ? 'AWS::DynamoDB::Table' : 'AWS::DynamoDB::GlobalTable',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: table.global === undefined ? tableProperties(table) : globalTableProperties(table, table.global),
    }
    outputs[`${id}Name`] = { Value: { Ref: id } }
    outputs[`${id}Arn`] = { Value: { 'Fn::GetAtt': [id, 'Arn'] } }
    if (streamOf(table) !== undefined) outputs[`${id}StreamArn`] = { Value: { 'Fn::GetAtt': [id, 'StreamArn'] } }
  })
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: description.description ?? `The tables of ${description.name}`,
    Resources: resources,
    Outputs: outputs,
  }
}

function tableProperties(table: TableDescription): Json {
  const { StreamSpecification, ...input } = createTableInput(table)
  return {
    // The shapes of CloudFormation are those of the API, except where they follow.
    ...(input as { readonly [name: string]: Json }),
    ...(StreamSpecification !== undefined && {
      StreamSpecification: { StreamViewType: StreamSpecification.StreamViewType },
    }),
    ...(table.ttlAttribute !== undefined && {
      TimeToLiveSpecification: { AttributeName: table.ttlAttribute, Enabled: true },
    }),
    ...(table.pointInTimeRecovery === true && {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  }
}
