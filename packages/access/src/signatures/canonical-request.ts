import type { HttpRequest } from '@hashrange/server'
import { uriEncode } from './uri-encode.ts'

/** The header fields of a request by their names in lower case: values are trimmed, blanks within them are one, and several of one name are
 *  joined by commas, as a signature sees them. */
export function canonicalFields(request: HttpRequest): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of request.fields ?? []) {
    const name = fieldName(line)
    const value = canonicalValue(line)
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before},${value}`)
  }
  return fields
}

/** In lower case. */
export function fieldName(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase()
}

export function canonicalValue(line: string): string {
  const value = line.slice(line.indexOf(':') + 1).trim()
  return value.includes('  ') ? value.replaceAll(/ {2,}/g, ' ') : value
}

/** The text of a request that is signed. A header that was signed and is not there counts as empty. */
export function canonicalRequest(
  request: HttpRequest,
  fields: ReadonlyMap<string, string>,
  signedHeaders: readonly string[],
  payloadHash: string,
  service: string,
): string {
  const { method, target } = request
  const isS3 = service === 's3'
  const uriAndQuery = target === '/' ? '/\n' : canonicalTarget(target, isS3)
  let headers = ''
  for (const name of signedHeaders) headers += `${name}:${fields.get(name) ?? ''}\n`
  const hash =
    (isS3 && signedHeaders.includes(hashHeader) ? unhashed(fields.get(hashHeader)) : undefined) ?? payloadHash
  return `${method}\n${uriAndQuery}\n${headers}\n${signedHeaders.join(';')}\n${hash}`
}

const hashHeader = 'x-amz-content-sha256'

/** A body that S3's clients send in chunks, or over TLS, is not hashed; that this is so is signed instead. */
function unhashed(claimed: string | undefined): string | undefined {
  return claimed !== undefined && /^(UNSIGNED-PAYLOAD|STREAMING-[A-Z0-9-]+)$/.test(claimed) ? claimed : undefined
}

function canonicalTarget(target: string, isS3: boolean): string {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '')
  const question = relative.indexOf('?')
  const path = question < 0 ? relative : relative.slice(0, question)
  const query = question < 0 ? '' : relative.slice(question + 1)
  return `${isS3 ? path : canonicalPath(path)}\n${canonicalQuery(query)}`
}

/** Dots and empty segments are resolved. What is encoded in the path is encoded once more: all services but S3 sign it so, whose keys may have
 *  any segments. */
function canonicalPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  const isFolder = segments.length > 0 && /\/\.{0,2}$/.test(path)
  return `/${segments.map(uriEncode).join('/')}${isFolder ? '/' : ''}`
}

/** Sorted by name and then by value, in the order of their encoded bytes; without the signature itself. */
function canonicalQuery(query: string): string {
  if (query === '') return ''
  const parameters = query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const name = equals < 0 ? part : part.slice(0, equals)
      const value = equals < 0 ? '' : part.slice(equals + 1)
      return [uriEncode(decode(name)), uriEncode(decode(value))] as const
    })
    .filter(([name]) => name !== 'X-Amz-Signature')
  return parameters
    .toSorted(([name, value], [other, otherValue]) => compare(name, other) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** What is not encoded as it should be stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
