import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { ServiceError } from '@hashrange/core'
import { crc32 } from '@hashrange/engine'

const inflate = promisify(inflateRaw)

/** What AWS allows an unpacked package to have. */
const mostBytes = 250 * 1024 * 1024
const mostEntries = 20_000
const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50

/** Unpacks a package into a folder; without one, only checks it. Sizes and names are checked before anything is
 *  written: nothing gets out of the folder, and nothing becomes larger than it says. Throws a ServiceError. */
export async function unpackZip(zip: Buffer, folder?: string): Promise<void> {
  let unpackedBytes = 0
  for (const entry of entriesOf(zip)) {
    unpackedBytes += entry.bytes
    if (unpackedBytes > mostBytes)
      throw new ServiceError(
        'InvalidParameterValueException',
        `Unzipped size must be smaller than ${mostBytes} bytes`,
      )
    if (!isInside(entry.name)) throw unreadable()
    if (entry.name.endsWith('/')) continue
    const content = await contentOf(zip, entry)
    if (folder === undefined) continue
    const path = join(folder, entry.name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    if (entry.mode & 0o111) await chmod(path, 0o755)
  }
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly packedBytes: number
  readonly bytes: number
  readonly checksum: number
  readonly at: number
  /** Of Unix. */
  readonly mode: number
}

function* entriesOf(zip: Buffer): Iterable<Entry> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > zip.length || zip.readUInt32LE(end) !== endMark) throw unreadable()
  const count = zip.readUInt16LE(end + 10)
  if (count > mostEntries) throw unreadable()
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== entryMark) throw unreadable()
    const nameBytes = zip.readUInt16LE(at + 28)
    const next = at + 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    if (next > zip.length) throw unreadable()
    const mode = zip.readUInt32LE(at + 38) >>> 16
    // Links lead out of the folder.
    if ((mode & 0o170000) === 0o120000) throw unreadable()
    yield {
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      method: zip.readUInt16LE(at + 10),
      checksum: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      bytes: zip.readUInt32LE(at + 24),
      at: zip.readUInt32LE(at + 42),
      mode,
    }
    at = next
  }
}

async function contentOf(zip: Buffer, { at, method, packedBytes, bytes, checksum }: Entry): Promise<Buffer> {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== localMark) throw unreadable()
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  if (start + packedBytes > zip.length || (method !== 0 && method !== 8)) throw unreadable()
  const packed = zip.subarray(start, start + packedBytes)
  const content =
    method === 0
      ? packed
      : await inflate(packed, { maxOutputLength: Math.max(1, bytes) }).catch(() => {
          throw unreadable()
        })
  if (content.length !== bytes || crc32(content) !== checksum) throw unreadable()
  return content
}

function isInside(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.includes('\\') || name.includes('\0') || /^[a-z]:/i.test(name))
    return false
  return !name.split('/').includes('..')
}

function unreadable(): ServiceError {
  return new ServiceError(
    'InvalidParameterValueException',
    'Could not unzip uploaded file. Please check your file, then try to upload again.',
  )
}
