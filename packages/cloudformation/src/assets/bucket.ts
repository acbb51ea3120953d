import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import type { AssetRecord } from '../records/asset-record.ts'

/** Assets are templates, and now and then the code of a function. */
const mostObjects = 1_000
const mostBytes = 256 * 1024 * 1024

export async function putObject(
  { assets, clock }: CloudFormation,
  scope: Scope,
  object: { readonly bucket: string; readonly key: string; readonly data: Buffer; readonly contentType: string },
): Promise<AssetRecord> {
  const { bucket, key, data, contentType } = object
  assertKey(key)
  let count = 0
  let bytes = data.length
  await assets.scan(scope, [], (one) => {
    if (one.bucket === bucket && one.key === key) return true
    count += 1
    bytes += one.data.length * 0.75
    return true
  })
  if (count >= mostObjects || bytes > mostBytes)
    throw new ServiceError(
      'QuotaExceeded',
      `The bucket of assets holds at most ${mostObjects} objects and ${mostBytes} bytes.`,
    )
  const record: AssetRecord = {
    bucket,
    key,
    data: data.toString('base64'),
    contentType,
    etag: createHash('md5').update(data).digest('hex'),
    modifiedAtMs: clock.now(),
  }
  await assets.change(scope, nameOf(bucket, key), () => record)
  return record
}

export function getObject(
  { assets }: CloudFormation,
  scope: Scope,
  bucket: string,
  key: string,
): Promise<AssetRecord | undefined> {
  assertKey(key)
  return assets.get(scope, nameOf(bucket, key))
}

/** An object by its address: `https://s3.eu-west-1.amazonaws.com/bucket/key`, with the bucket in the host's name, or at this
 *  server. */
export async function objectAt(cf: CloudFormation, scope: Scope, url: string): Promise<Buffer | undefined> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined) return undefined
  const path = decoded(parsed.pathname.slice(1))
  const [, hosted] = /^(.+)\.s3[.-]/.exec(parsed.hostname) ?? []
  const slash = path.indexOf('/')
  const [bucket, key] = hosted === undefined ? [path.slice(0, slash), path.slice(slash + 1)] : [hosted, path]
  if (bucket === '' || key === '' || key.length > 1_024 || key.includes('\0')) return undefined
  const found = await cf.assets.get(scope, nameOf(bucket, key))
  return found && Buffer.from(found.data, 'base64')
}

/** Keys may be longer than the keys of records. */
function nameOf(bucket: string, key: string): readonly string[] {
  return [bucket, createHash('sha256').update(key).digest('hex')]
}

function assertKey(key: string): void {
  if (Buffer.byteLength(key) > 1_024) throw new ServiceError('KeyTooLongError', 'Your key is too long')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
