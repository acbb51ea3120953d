import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Buckets } from '@hashrange/engine'
import { FolderBuckets, openS3Buckets, SealedBuckets } from '@hashrange/transfer'
import { readExportKeys } from '../export-keys.ts'
import { settingAdvice } from '../setting-advice.ts'
import { Mistake } from '../mistake.ts'

/** A place for files: a bucket and where in it. */
export interface ObjectPlace {
  readonly buckets: Buckets
  readonly bucket: string
  readonly prefix: string
}

interface PlaceOptions {
  readonly s3Endpoint: string | undefined
  readonly region: string | undefined
  /** The file with the keys of exports; the environment may name it too. */
  readonly keyFile: string | undefined
}

/** A folder, which is created if it is missing, or `s3://bucket/prefix`. */
export async function openTarget(place: string, options: PlaceOptions): Promise<ObjectPlace> {
  return sealed(await openPlainTarget(place, options), options)
}

/** A file, a folder, or `s3://bucket/prefix`. */
export async function openSource(place: string, options: PlaceOptions): Promise<ObjectPlace> {
  return sealed(await openPlainSource(place, options), options)
}

function sealed(place: ObjectPlace, { keyFile }: PlaceOptions): ObjectPlace {
  const read = readExportKeys(keyFile, (name) => process.env[name] || undefined)
  if ('mistake' in read) throw new Mistake(read.mistake)
  return { ...place, buckets: new SealedBuckets(place.buckets, read.keys, settingAdvice('command').ofExportKey) }
}

async function openPlainTarget(place: string, options: PlaceOptions): Promise<ObjectPlace> {
  if (place.startsWith('s3://')) {
    const s3 = await openS3(place, options)
    const isFolder = s3.prefix === '' || s3.prefix.endsWith('/')
    return isFolder ? s3 : { ...s3, prefix: `${s3.prefix}/` }
  }
  const folder = resolve(place)
  await mkdir(folder, { recursive: true })
  return { buckets: new FolderBuckets(dirname(folder)), bucket: basename(folder), prefix: '' }
}

async function openPlainSource(place: string, options: PlaceOptions): Promise<ObjectPlace> {
  if (place.startsWith('s3://')) return openS3(place, options)
  const path = resolve(place)
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Mistake(`There is no file or folder ${place}.`)
  if (found.isDirectory()) return { buckets: new FolderBuckets(dirname(path)), bucket: basename(path), prefix: '' }
  const folder = dirname(path)
  return { buckets: new FolderBuckets(dirname(folder)), bucket: basename(folder), prefix: basename(path) }
}

async function openS3(place: string, { s3Endpoint, region }: PlaceOptions): Promise<ObjectPlace> {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]*)\/?(.*)$/.exec(place) ?? []
  if (bucket === '') throw new Mistake(`"${place}" does not name a bucket. Use s3://bucket/prefix.`)
  return { buckets: await openS3Buckets({ endpoint: s3Endpoint, region }), bucket, prefix }
}
