/** The name of the last record of a page, as a token that clients hand back. */
export function pageToken(next: readonly string[] | undefined): string | undefined {
  return next === undefined ? undefined : Buffer.from(JSON.stringify(next), 'utf8').toString('base64url')
}

/** The contents of a token; undefined if it is not one of ours. */
export function readPageToken(token: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    const isName = Array.isArray(value) && value.length < 8 && value.every((part) => isPart(part))
    return isName ? value : undefined
  } catch {
    return undefined
  }
}

function isPart(part: unknown): part is string {
  return typeof part === 'string' && part.length < 2048 && !part.includes('\0')
}
