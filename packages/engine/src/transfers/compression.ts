import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { Decompress } from 'fzstd'

export type Compression = 'GZIP' | 'ZSTD' | 'NONE'

export function compressGzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return through(chunks, createGzip())
}

export function decompress(chunks: AsyncIterable<Uint8Array>, compression: Compression): AsyncIterable<Uint8Array> {
  switch (compression) {
    case 'NONE':
      return chunks
    case 'GZIP':
      return through(chunks, createGunzip({ chunkSize: 131_072 }))
    case 'ZSTD':
      return decompressZstd(chunks)
  }
}

function through(chunks: AsyncIterable<Uint8Array>, transform: NodeJS.ReadWriteStream & Readable): Readable {
  // A failure of either stream destroys the other, and is thrown to whoever reads.
  pipeline(Readable.from(chunks, { objectMode: false }), transform, () => undefined)
  return transform
}

/** Node.js itself reads this format only from version 22.15 on. */
async function* decompressZstd(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let pieces: Uint8Array[] = []
  const stream = new Decompress((piece) => void pieces.push(piece))
  for await (const chunk of chunks) {
    stream.push(chunk)
    yield* pieces
    pieces = []
  }
  stream.push(new Uint8Array(0), true)
  yield* pieces
}
