import { dynamodbTarget, type Answer, type ResourcePort } from './resource-port.ts'
import { codeOf, unlessMissing } from './unless-missing.ts'

/** DynamoDB's operations in one region, in the form of their JSON. */
export interface TablePort {
  request(operation: string, input: object): Promise<Answer>
}

export function tablesIn(port: ResourcePort, region?: string): TablePort {
  return { request: (operation, input) => port.call(dynamodbTarget, operation, input, region) }
}

/** What a request answers, or nothing where what it asks for is not there. Not every server has every operation. */
export async function described(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await unlessMissing(asked)
  } catch (error) {
    if (codeOf(error) === 'UnknownOperationException') return undefined
    throw error
  }
}

/** Whether a table is in a region. Servers may give all regions the same tables: there are no replicas then. */
export function isInRegion(table: Answer | undefined, region: string): boolean {
  const { TableArn } = table ?? {}
  return typeof TableArn !== 'string' || TableArn.split(':')[3] === region
}
