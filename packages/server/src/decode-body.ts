import { promisify } from 'node:util'
import { gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib'
import { ServiceError } from '@hashrange/core'
import { takeTurns } from './take-turns.ts'

type Decoder = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', promisify<InputType, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<InputType, ZlibOptions, Buffer>(inflate)],
])

/** How large a decompressed body may be, whatever its size; beyond that, at most this many times as long as it was
 *  sent. What programs send has a tenth of this ratio; a body at the limit of the format was made to be costly. */
const freeBytes = 1024 * 1024
const greatestRatio = 100

/** Few bodies are decoded at once: otherwise the results would pile up faster than they can be processed. */
const turn = takeTurns(4)

/** Undoes a request's `Content-Encoding`, off the event loop. At most `maxBytes` are ever produced, so that a small
 *  request cannot fill the memory. The service answers what cannot be decoded with status 500; here nothing that a
 *  client sends causes one, so it is rejected like a body that cannot be parsed. */
export async function decodeBody(coding: string, body: Buffer, maxBytes: number): Promise<Buffer> {
  const name = coding.toLowerCase()
  if (name === 'identity') return body
  const decode = decoders.get(name)
  if (decode === undefined) throw undecodable(`the Content-Encoding ${JSON.stringify(coding)} is not supported`)
  const allowedBytes = Math.min(maxBytes, Math.max(freeBytes, greatestRatio * body.length))
  try {
    return await turn(() => decode(body, { maxOutputLength: allowedBytes }))
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new ServiceError(
        'RequestEntityTooLargeException',
        `The decompressed request body is larger than ${allowedBytes} bytes.`,
      )
    }
    throw undecodable(`it is not valid ${name}`)
  }
}

function undecodable(reason: string): ServiceError {
  return new ServiceError('SerializationException', `The request body cannot be decoded: ${reason}.`)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
