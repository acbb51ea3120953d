import { ServiceError } from '@hashrange/core'
import { xmlElements, type HttpRequest, type ServiceProtocol } from '@hashrange/server'
import type { AssetRecord } from '../records/asset-record.ts'

const xml = { 'Content-Type': 'application/xml' }
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** As much of S3 as CDK needs to hand over its templates: one object at a time, addressed by its path. */
export const bucketProtocol: ServiceProtocol = {
  ownCoding: 'aws-chunked',
  call(request, body) {
    const { bucket, key, query } = placeOf(request)
    const input = { Bucket: bucket, Key: key }
    switch (request.method) {
      case 'PUT':
        if (key === '' || (query.size > 0 && !query.has('x-id'))) break
        return {
          operation: 'PutObject',
          input: { ...input, ContentType: request.contentType, Body: unchunked(request, body) },
        }
      case 'HEAD':
        return { operation: key === '' ? 'HeadBucket' : 'HeadObject', input }
      case 'GET':
        if (key !== '') return { operation: 'GetObject', input }
        if (query.has('location')) return { operation: 'GetBucketLocation', input }
        if (query.has('encryption')) return { operation: 'GetBucketEncryption', input }
        if (query.has('list-type'))
          return { operation: 'ListObjectsV2', input: { ...input, Prefix: query.get('prefix') ?? '' } }
        break
      default:
    }
    throw new ServiceError(
      'NotImplemented',
      'This bucket only holds assets of stacks: objects can be put, read and listed.',
    )
  },
  answer(answer, { operation }) {
    switch (operation) {
      case 'PutObject':
        return { headers: { ETag: `"${(answer as AssetRecord).etag}"` }, body: Buffer.alloc(0) }
      case 'GetObject':
      case 'HeadObject': {
        const { data, etag, contentType, modifiedAtMs } = answer as AssetRecord
        const headers = {
          'Content-Type': contentType,
          ETag: `"${etag}"`,
          'Last-Modified': new Date(modifiedAtMs).toUTCString(),
        }
        return { headers, body: operation === 'GetObject' ? Buffer.from(data, 'base64') : Buffer.alloc(0) }
      }
      case 'GetBucketLocation':
        return document('LocationConstraint', (answer as { readonly region: string }).region)
      case 'GetBucketEncryption':
        return document(
          'ServerSideEncryptionConfiguration',
          '<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>',
        )
      case 'ListObjectsV2': {
        const { bucket, prefix, objects } = answer as {
          readonly bucket: string
          readonly prefix: string
          readonly objects: readonly AssetRecord[]
        }
        const contents = objects
          .map(({ key, etag, data, modifiedAtMs }) => ({
            Key: key,
            LastModified: new Date(modifiedAtMs),
            ETag: `"${etag}"`,
            Size: Math.floor(data.length * 0.75),
            StorageClass: 'STANDARD',
          }))
          .map((object) => `<Contents>${xmlElements(object)}</Contents>`)
        const about = { Name: bucket, Prefix: prefix, KeyCount: objects.length, MaxKeys: 1_000, IsTruncated: false }
        return document('ListBucketResult', xmlElements(about) + contents.join(''))
      }
      default:
        return { headers: {}, body: Buffer.alloc(0) }
    }
  },
  error({ error, queryCode }, requestId) {
    const told = xmlElements({ Code: queryCode, Message: error.message, RequestId: requestId })
    return { headers: xml, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${told}</Error>`) }
  },
}

function document(name: string, content: string) {
  return {
    headers: xml,
    body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${namespace}">${content}</${name}>`),
  }
}

function placeOf({ target }: HttpRequest): {
  readonly bucket: string
  readonly key: string
  readonly query: URLSearchParams
} {
  const [path = '', search = ''] = target.split('?', 2)
  const [bucket = '', ...key] = path.slice(1).split('/').map(decoded)
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket))
    throw new ServiceError('NoSuchBucket', 'The specified bucket does not exist')
  return { bucket, key: key.join('/'), query: new URLSearchParams(search) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ServiceError('InvalidURI', "Couldn't parse the specified URI.")
  }
}

/** Clients send a body in chunks of which each may have a signature: `size;chunk-signature=…`, the bytes, and so on. */
function unchunked(request: HttpRequest, body: Buffer): Buffer {
  const isChunked = request.fields?.some((field) =>
    /^x-amz-(decoded-content-length|content-sha256: ?STREAMING)/i.test(field),
  )
  if (
    isChunked !== true &&
    !/^[0-9a-f]{1,8}(;chunk-signature=[0-9a-f]+)?\r\n/.test(body.subarray(0, 120).toString('latin1'))
  )
    return body
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    if (end === -1) throw new ServiceError('IncompleteBody', 'The request body terminated unexpectedly')
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    if (end + 2 + size > body.length)
      throw new ServiceError('IncompleteBody', 'The request body terminated unexpectedly')
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
