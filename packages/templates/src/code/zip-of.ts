import { gzipSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array
  readonly isExecutable?: boolean
}

/** A zip archive, always the same for the same files: entries are in order, without times, and stored as they are, because
 *  how they are compressed depends on the version of Node.js. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const files: Uint8Array[] = []
  const directory: Buffer[] = []
  let at = 0
  const inOrder = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const { name, content, isExecutable = false } of inOrder) {
    const nameBytes = Buffer.from(name)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    // Names are UTF-8. The date is the first that there is, because 0 is none.
    shared.writeUInt16LE(0x0800, 2)
    shared.writeUInt16LE(0x21, 8)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(content.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), shared, nameBytes])
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002', 0, 'latin1')
    entry.writeUInt16LE(0x0314, 4)
    shared.copy(entry, 6)
    entry.writeUInt32LE(((isExecutable ? 0o100755 : 0o100644) << 16) >>> 0, 38)
    entry.writeUInt32LE(at, 42)
    files.push(local, content)
    directory.push(entry, nameBytes)
    at += local.length + content.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, listed, end])
}

/** The checksum of zip is that of gzip. The oldest Node.js that is supported has no function for it. */
function crc32(bytes: Uint8Array): number {
  const zipped = gzipSync(bytes, { level: 0 })
  return zipped.readUInt32LE(zipped.length - 8)
}
