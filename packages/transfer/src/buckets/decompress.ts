import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Compression } from '@hashrange/engine'
import { Decompress } from 'fzstd'

export function decompress(chunks: AsyncIterable<Uint8Array>, compression: Compression): AsyncIterable<Uint8Array> {
  switch (compression) {
    case 'NONE':
      return chunks
    case 'GZIP':
      return decompressGzip(chunks)
    case 'ZSTD':
      return decompressZstd(chunks)
  }
}

function decompressGzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const content = createGunzip({ chunkSize: 131_072 })
  // A failure of either stream destroys the other, and is thrown to the reader.
  pipeline(Readable.from(chunks, { objectMode: false }), content, () => undefined)
  return content
}

/** Node.js itself only reads this format from version 22.15 on. */
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
