import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Below this an answer fits a packet, compressed or not. */
const smallestBytes = 1500

export const compress: (bytes: Uint8Array) => Promise<Buffer> = promisify(gzip)

/** Whether the client's `Accept-Encoding` asks for gzip and the answer is worth it. */
export function isWorthCompressing(acceptEncoding: string | undefined, lengthBytes: number): boolean {
  if (acceptEncoding === undefined || lengthBytes < smallestBytes || !acceptEncoding.includes('gzip')) return false
  return acceptEncoding.split(',').some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(coding))
}
