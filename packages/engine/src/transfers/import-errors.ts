import type { Buckets } from './buckets.ts'
import { once } from './export-manifest.ts'
import { importArnOf, type ImportJob } from './import-job.ts'

/** A row that was not imported. */
export interface ImportError {
  readonly key: string
  /** The row's place in its object, from 0. */
  readonly itemIndex: number
  readonly line: number
  readonly message: string
}

/** Errors beyond these are only counted: a file in the wrong format has nothing else. */
const mostErrors = 20_000
const longestMessage = 1_000

/** Objects below this are never imported themselves. */
export const importLogFolder = 'hashrange-imports/'

export class ImportErrors {
  readonly #errors: ImportError[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(error: ImportError): void {
    this.#count++
    if (this.#errors.length >= mostErrors) return
    const message =
      error.message.length > longestMessage ? `${error.message.slice(0, longestMessage)}…` : error.message
    this.#errors.push({ ...error, message })
  }

  /** Writes the errors into the bucket, twice: in the format of the service's log, and in a readable form. */
  async write(buckets: Buckets, job: ImportJob): Promise<void> {
    if (this.#count === 0) return
    const folder = `${importLogFolder}${job.id}/`
    const records = this.#errors.map(({ key, itemIndex, line, message }) => {
      const itemS3Pointer = { bucket: job.bucket, key, itemIndex }
      return JSON.stringify({ itemS3Pointer, line, importArn: importArnOf(job), errorMessages: [message] })
    })
    const lines = this.#errors.map(({ key, line, message }) => `${key}, line ${line}: ${message}`)
    const more = this.#count - this.#errors.length
    if (more > 0) lines.push(`and ${more} more`)
    await buckets.write(job.bucket, `${folder}error.json`, once(Buffer.from(`${records.join('\n')}\n`)))
    await buckets.write(job.bucket, `${folder}error.txt`, once(Buffer.from(`${lines.join('\n')}\n`)))
  }
}
