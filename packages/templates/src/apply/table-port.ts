import { codeOf, unlessMissing } from './unless-missing.ts'

/** A database with DynamoDB's operations, in the form of their JSON. */
export interface TablePort {
  request(operation: string, input: object): Promise<Readonly<Record<string, unknown>>>
}

/** What a request answers, or nothing where what it asks for is not there. Not every server has every operation. */
export async function described(
  asked: Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await unlessMissing(asked)
  } catch (error) {
    if (codeOf(error) === 'UnknownOperationException') return undefined
    throw error
  }
}
