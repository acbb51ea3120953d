import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import {
  BucketError,
  type BucketObject,
  type Buckets,
  type Compression,
  type WrittenObject,
} from '@hashrange/engine'
import { decompress } from './decompress.ts'
import { keyOfPath, pathOfKey } from './object-path.ts'

/** Buckets as subfolders of one folder: an object's key is its path. Create a bucket by creating its folder. */
export class FolderBuckets implements Buckets {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** A file appears when it is complete, and is on disk when this returns. */
  async write(bucket: string, key: string, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject> {
    const folder = await this.#folderOf(bucket)
    const path = join(folder, pathOfKey(key))
    const unfinished = `${path}.${randomUUID()}${unfinishedEnding}`
    const digest = createHash('md5')
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(unfinished, chunks, digest)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw failureOf(error, path)
    }
    // The ETag that S3 gives an object that was uploaded in one part.
    return { etag: `${createHash('md5').update(digest.digest()).digest('hex')}-1` }
  }

  async list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    const folder = await this.#folderOf(bucket)
    const objects: BucketObject[] = []
    try {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name.endsWith(unfinishedEnding)) continue
        const path = join(entry.parentPath, entry.name)
        const key = keyOfPath(path.slice(folder.length + 1).split(sep))
        if (key.startsWith(prefix)) objects.push({ key, sizeBytes: (await stat(path)).size })
      }
    } catch (error) {
      throw failureOf(error, folder)
    }
    return objects.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  async *read(bucket: string, key: string, compression: Compression): AsyncGenerator<Uint8Array> {
    const path = join(await this.#folderOf(bucket), pathOfKey(key))
    try {
      yield* decompress(createReadStream(path, { highWaterMark: 262_144 }), compression)
    } catch (error) {
      throw failureOf(error, path)
    }
  }

  async #folderOf(bucket: string): Promise<string> {
    // A name with a slash would lead elsewhere.
    if (bucket === '' || bucket === '.' || bucket === '..' || /[/\\\0]/.test(bucket)) throw noSuchBucket(bucket)
    const folder = join(this.#root, bucket)
    const isFolder = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder) throw noSuchBucket(folder)
    return folder
  }
}

const unfinishedEnding = '.unfinished'

async function writeFile(path: string, chunks: AsyncIterable<Uint8Array>, digest: Hash): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'w')
    for await (const chunk of chunks) {
      digest.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file?.close()
  }
}

function noSuchBucket(folder: string): BucketError {
  return new BucketError(
    'NoSuchBucket',
    `The specified bucket does not exist. To create it, create the folder ${folder}`,
  )
}

function failureOf(error: unknown, path: string): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'EISDIR':
      return new BucketError('NoSuchKey', `There is no file ${path}`, error)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new BucketError('AccessDenied', `You do not have permission to use ${path}`, error)
    case 'ENOSPC':
    case 'ENAMETOOLONG':
    case 'ENOTDIR':
    case 'EEXIST':
      return new BucketError('Unavailable', `${path} cannot be written`, error)
    default:
      return error
  }
}
