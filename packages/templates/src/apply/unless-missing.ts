/** What a request answers, or nothing where what it asks for is not there. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return missing.has(codeOf(error))
}

const missing: ReadonlySet<string> = new Set([
  'NoSuchKey',
  'ObjectNotFoundException',
  'PolicyNotFoundException',
  'ResourceNotFound',
  'ResourceNotFoundException',
  'TableNotFoundException',
])

/** The service's name of an error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
