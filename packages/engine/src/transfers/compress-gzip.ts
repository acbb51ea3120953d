import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

export function compressGzip(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const compressed = createGzip()
  // A failure of either stream destroys the other, and is thrown to the reader.
  pipeline(Readable.from(chunks, { objectMode: false }), compressed, () => undefined)
  return compressed
}
