import { promisify } from 'node:util'
import { deflate, gzip } from 'node:zlib'

/** The encodings for compressed responses; the first is preferred. */
const codings = ['gzip', 'deflate'] as const

export type ContentCoding = (typeof codings)[number]

/** The service does not compress responses below this size. */
const smallestBytes = 4096

const compressors: Readonly<Record<ContentCoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  gzip: promisify<Uint8Array, Buffer>(gzip),
  deflate: promisify<Uint8Array, Buffer>(deflate),
}

/** Responses that wait to be compressed are held in memory. If there are many, further ones are sent uncompressed. */
const mostUnderWay = 16
let underWay = 0

export async function compress(coding: ContentCoding, bytes: Uint8Array): Promise<Buffer> {
  underWay++
  try {
    return await compressors[coding](bytes)
  } finally {
    underWay--
  }
}

/** How to compress a response for a client that sent this `Accept-Encoding`, if at all. */
export function chooseCoding(acceptEncoding: string | undefined, lengthBytes: number): ContentCoding | undefined {
  if (acceptEncoding === undefined || lengthBytes < smallestBytes || acceptEncoding === 'identity') return undefined
  return underWay < mostUnderWay ? preferredCoding(acceptEncoding) : undefined
}

/** The encoding with the highest quality; of several, the one that is named first, and before those that only `*`
 *  stands for. Allowing `identity` never prevents compression. */
function preferredCoding(acceptEncoding: string): ContentCoding | undefined {
  const accepted = acceptEncoding.split(',').map(readEntry)
  let preferred: ContentCoding | undefined
  let highest = 0
  const consider = (coding: ContentCoding, quality: number): void => {
    if (quality <= highest) return
    preferred = coding
    highest = quality
  }
  for (const { name, quality } of accepted) {
    const coding = codings.find((candidate) => candidate === name)
    if (coding !== undefined) consider(coding, quality)
  }
  const others = accepted.find(({ name }) => name === '*')
  if (others === undefined) return preferred
  for (const coding of codings) {
    if (!accepted.some(({ name }) => name === coding)) consider(coding, others.quality)
  }
  return preferred
}

/** `name;q=0.5`. The service is lenient: whatever comes first after `q=` is the quality, an invalid number is 1, and
 *  nothing is more than 1. */
function readEntry(entry: string): { readonly name: string; readonly quality: number } {
  const [name = '', ...parameters] = entry.split(';')
  return { name: name.trim().toLowerCase(), quality: readQuality(parameters) }
}

function readQuality(parameters: readonly string[]): number {
  const parameter = parameters.find((candidate) => candidate.includes('q='))
  if (parameter === undefined) return 1
  const text = parameter.slice(parameter.indexOf('q=') + 2).trim()
  return /^-?\d+(?:\.\d*)?$/.test(text) ? Math.min(1, Number(text)) : 1
}
