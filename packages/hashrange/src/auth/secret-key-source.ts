import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSecretKey } from '@hashrange/access'
import type { StorePlace } from '../store-place.ts'
import type { SecretKeySettings } from './auth-flags.ts'

/** The key of secrets is not available; the message says what to do. */
export class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

const howToMakeOne = 'To make one: openssl rand -base64 32.'

/** Where the key that encrypts secrets comes from: from the settings, or from a file beside the data, which is
 *  created when it is first needed. It is never in the store. */
export function secretKeySource(
  place: StorePlace,
  { secretKey, secretKeyFile }: SecretKeySettings,
): (isFirst: boolean) => Promise<Buffer> {
  if (secretKey !== undefined) return async () => keyIn(secretKey, 'HASHRANGE_SECRET_KEY')
  if (secretKeyFile !== undefined) {
    return async () => {
      const text = await readFile(secretKeyFile, 'utf8').catch((error: unknown) => {
        throw new SecretKeyError(
          `The secret key cannot be read from ${secretKeyFile} (${error instanceof Error ? error.message : String(error)}).`,
        )
      })
      return keyIn(text, secretKeyFile)
    }
  }
  switch (place.kind) {
    case 'memory': {
      const key = randomBytes(32)
      return async () => key
    }
    case 'lmdb':
      return (isFirst) => keyBeside(place.path, isFirst)
    case 'postgres':
      return async () => {
        throw new SecretKeyError(
          `Servers that share a PostgreSQL database need the same secret key. Set HASHRANGE_SECRET_KEY or --secret-key-file on all of them. ${howToMakeOne}`,
        )
      }
  }
}

/** The file with the key if the settings name none. Backups and snapshots do not contain it. */
export function secretKeyPath(folder: string): string {
  return join(folder, 'secret.key')
}

async function keyBeside(folder: string, isFirst: boolean): Promise<Buffer> {
  const path = secretKeyPath(folder)
  if (isFirst) await makeKey(folder, path)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SecretKeyError(
      `The secrets in ${folder} were encrypted with a key that cannot be read from ${path} (${error instanceof Error ? error.message : String(error)}). Put the file back there, or name it with --secret-key-file.`,
    )
  })
  return keyIn(text, path)
}

async function makeKey(folder: string, path: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    // Nobody else may read it, and if two processes create it, one is first.
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw new SecretKeyError(
        `The secret key cannot be written to ${path} (${error instanceof Error ? error.message : String(error)}).`,
      )
    }
  }
}

function keyIn(text: string, where: string): Buffer {
  const key = readSecretKey(text)
  if (key === undefined) {
    throw new SecretKeyError(`${where} must contain 32 bytes in base64 or hexadecimal. ${howToMakeOne}`)
  }
  return key
}
