/** A database with DynamoDB's operations, in the form of their JSON. */
export interface TablePort {
  request(operation: string, input: object): Promise<Readonly<Record<string, unknown>>>
}

/** What a request answers, or nothing where what it asks for is not there. */
export async function unlessMissing(
  asked: Promise<Readonly<Record<string, unknown>>>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await asked
  } catch (error) {
    if (missing.has(codeOf(error))) return undefined
    throw error
  }
}

const missing: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'TableNotFoundException',
  'PolicyNotFoundException',
  // Not every server has every operation.
  'UnknownOperationException',
])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
