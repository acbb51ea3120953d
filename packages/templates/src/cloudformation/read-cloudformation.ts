import type { Declared, Json, JsonObject, ReadOptions, Skipped, TableDesign } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import { globalTableProperties } from './global-table.ts'
import { simpleTableProperties } from './simple-table.ts'
import { tableDesign } from './table-resource.ts'
import { isTable, Template } from './template.ts'

/** The tables of a CloudFormation or SAM template. */
export function readCloudFormation(document: Json, file: string, options: ReadOptions): Declared {
  const template = new Template(document, file, options)
  const tables: TableDesign[] = []
  const skipped: Skipped[] = []
  const problems: string[] = []
  for (const { id, type, properties, unknown } of template.resources()) {
    if (!isTable(type)) {
      skipped.push({ name: id, type })
      continue
    }
    const origin = `${id} in ${file}`
    const name = template.tableName(id, properties)
    const reason = unknown ?? (name instanceof Unresolved ? name.reason : undefined)
    if (reason !== undefined || name instanceof Unresolved) {
      problems.push(`${origin}: ${reason}.`)
      continue
    }
    const design = tableDesign({
      name,
      origin,
      properties: tableProperties(type, properties, template),
      references: template,
    })
    if (typeof design === 'string') problems.push(`${origin}: ${design}.`)
    else tables.push(design)
  }
  return { tables, skipped, problems }
}

/** What a resource says of its table, in the names of `AWS::DynamoDB::Table`. */
export function tableProperties(type: string, properties: JsonObject, template: Template): JsonObject {
  if (type === 'AWS::Serverless::SimpleTable') return simpleTableProperties(properties)
  return type === 'AWS::DynamoDB::GlobalTable' ? globalTableProperties(properties, template) : properties
}
