import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '@hashrange/core'
import type { RecordSpace, Scope } from '@hashrange/engine'
import type { CodeRecord } from './function-record.ts'
import type { LambdaFunction } from './lambda-function.ts'
import { unpackZip } from './unpack-zip.ts'

/** A package is kept in parts of this size. */
const partBytes = 192 * 1024

/** The packages of functions: in the store, so that they survive a restart and every server has them, and unpacked into a
 *  folder where they are run. */
export class StoredCode {
  readonly #records: RecordSpace<CodeRecord>
  readonly #folders = new Map<string, Promise<string>>()

  constructor(records: RecordSpace<CodeRecord>) {
    this.#records = records
  }

  /** Also checks that it can be unpacked. */
  async save(scope: Scope, name: string, zip: Buffer): Promise<string> {
    await unpackZip(zip)
    const hash = createHash('sha256').update(zip)
    const sha256 = hash.digest('base64')
    for (let part = 0; part * partBytes < zip.length; part++) {
      const bytes = zip.subarray(part * partBytes, (part + 1) * partBytes).toString('base64')
      await this.#records.change(scope, partsOf(name, sha256, part), () => ({ name, bytes }))
    }
    return sha256
  }

  /** Removes every package of a function but one. */
  async keepOnly(scope: Scope, name: string, sha256: string | undefined): Promise<void> {
    for (const { scope: owner, parts, record } of await this.#records.all()) {
      if (owner.accountId !== scope.accountId || owner.region !== scope.region || record.name !== name) continue
      if (sha256 === undefined || parts[1] !== digestOf(sha256))
        await this.#records.change(scope, parts, () => undefined)
    }
  }

  unpack(called: LambdaFunction): Promise<string> {
    if (called.code.kind !== 'stored') throw new Error('the function has no package')
    const { codeSha256 } = called.code.record
    const key = `${called.scope.accountId} ${called.scope.region} ${called.name} ${codeSha256}`
    let folder = this.#folders.get(key)
    if (folder === undefined) {
      folder = this.#unpack(called.scope, called.name, codeSha256)
      this.#folders.set(key, folder)
      folder.catch(() => this.#folders.delete(key))
    }
    return folder
  }

  async close(): Promise<void> {
    for (const folder of this.#folders.values()) {
      await folder.then((path) => rm(path, { recursive: true, force: true })).catch(() => undefined)
    }
    this.#folders.clear()
  }

  async #unpack(scope: Scope, name: string, sha256: string): Promise<string> {
    const parts: Buffer[] = []
    for (let part = 0; ; part++) {
      const record = await this.#records.get(scope, partsOf(name, sha256, part))
      if (record === undefined) break
      parts.push(Buffer.from(record.bytes, 'base64'))
    }
    if (parts.length === 0) throw new ServiceError('ServiceException', `The package of ${name} is not there.`)
    const folder = await mkdtemp(join(tmpdir(), 'hashrange-function-'))
    await unpackZip(Buffer.concat(parts), folder)
    return folder
  }
}

/** ON DISK. */
function partsOf(name: string, sha256: string, part: number): readonly string[] {
  return [name, digestOf(sha256), String(part).padStart(6, '0')]
}

function digestOf(sha256: string): string {
  return Buffer.from(sha256, 'base64').toString('hex')
}
