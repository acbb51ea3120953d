import type { keySpace } from './key-space.ts'

/** An export or import, by the identifier at the end of its ARN. */
export function transferJobKey(
  space: typeof keySpace.exportJob | typeof keySpace.importJob,
  accountId: string,
  region: string,
  id: string,
): Buffer {
  return Buffer.from(`${String.fromCharCode(space)}${accountId}\0${region}\0${id}`, 'utf8')
}

/** The export or import of a client's token; `digest` is a hash of the token, which may have any length. */
export function transferTokenKey(
  space: typeof keySpace.exportToken | typeof keySpace.importToken,
  accountId: string,
  region: string,
  digest: string,
): Buffer {
  return Buffer.from(`${String.fromCharCode(space)}${accountId}\0${region}\0${digest}`, 'utf8')
}

/** Every export, or every import, of all accounts and regions. */
export function transferJobRange(space: typeof keySpace.exportJob | typeof keySpace.importJob): {
  from: Buffer
  to: Buffer
} {
  return { from: Buffer.of(space), to: Buffer.of(space + 1) }
}
