import { ServiceError } from '@hashrange/core'
import type { RunServiceOperation, Scope } from '@hashrange/engine'
import type { CloudFormation } from '../cloudformation.ts'
import { getObject, putObject } from './bucket.ts'
import { parameterAt } from './parameters.ts'

export const bucketTarget = 'AssetBucket'
export const bucketOperations = [
  'GetBucketEncryption',
  'GetBucketLocation',
  'GetObject',
  'HeadBucket',
  'HeadObject',
  'ListObjectsV2',
  'PutObject',
] as const
export const parametersTarget = 'AmazonSSM'
export const parametersOperations = ['GetParameter'] as const

/** What the bucket of assets takes and answers; its protocol makes it HTTP. */
export interface ObjectInput {
  readonly Bucket: string
  readonly Key: string
  readonly Prefix?: string
  readonly ContentType?: string
  readonly Body?: Buffer
}

export function bucketService(cf: CloudFormation): ReadonlyMap<string, RunServiceOperation> {
  const on =
    (run: (scope: Scope, input: ObjectInput) => Promise<unknown>): RunServiceOperation =>
    (scope, body) =>
      run(scope, body as ObjectInput)
  const found = async (scope: Scope, { Bucket, Key }: ObjectInput) => {
    const object = await getObject(cf, scope, Bucket, Key)
    if (object === undefined) throw new ServiceError('NoSuchKey', 'The specified key does not exist.')
    return object
  }
  return new Map<string, RunServiceOperation>([
    ['GetBucketEncryption', on(async () => ({ algorithm: 'AES256' }))],
    ['GetBucketLocation', on(async ({ region }) => ({ region }))],
    ['HeadBucket', on(async () => ({}))],
    ['GetObject', on(found)],
    ['HeadObject', on(found)],
    [
      'ListObjectsV2',
      on(async (scope, { Bucket, Prefix = '' }) => {
        const objects = await cf.assets.list(scope, [Bucket])
        return { bucket: Bucket, prefix: Prefix, objects: objects.filter(({ key }) => key.startsWith(Prefix)) }
      }),
    ],
    [
      'PutObject',
      on((scope, { Bucket, Key, Body = Buffer.alloc(0), ContentType = 'binary/octet-stream' }) =>
        putObject(cf, scope, { bucket: Bucket, key: Key, data: Body, contentType: ContentType }),
      ),
    ],
  ])
}

export function parametersService(): ReadonlyMap<string, RunServiceOperation> {
  return new Map<string, RunServiceOperation>([
    [
      'GetParameter',
      ({ region, accountId }, body) => {
        const name = typeof body === 'object' && body !== null && 'Name' in body ? String(body.Name) : ''
        const value = parameterAt(name)
        if (value === undefined) throw new ServiceError('ParameterNotFound', '')
        const ARN = `arn:aws:ssm:${region}:${accountId}:parameter${name}`
        return { Parameter: { Name: name, Type: 'String', Value: value, Version: 1, ARN, DataType: 'text' } }
      },
    ],
  ])
}
