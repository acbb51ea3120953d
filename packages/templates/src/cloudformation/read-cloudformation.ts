import type { Declared, Json, ReadOptions, Skipped, TableDesign } from '../table-design.ts'
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
    const evaluated =
      type === 'AWS::Serverless::SimpleTable'
        ? simpleTableProperties(properties)
        : type === 'AWS::DynamoDB::GlobalTable'
          ? globalTableProperties(properties, template)
          : properties
    const design = tableDesign({ name, origin, properties: evaluated, references: template })
    if (typeof design === 'string') problems.push(`${origin}: ${design}.`)
    else tables.push(design)
  }
  return { tables, skipped, problems }
}
