import type { DiskFile } from './disk.ts'
import { PageDamage } from './tree-page.ts'

/** LMDB's file as pages, read without LMDB: a missing page is an error here, and would end the process there. */
export class PageFile {
  readonly pageBytes: number
  /** Those that are complete. */
  readonly pages: number
  readonly #file: DiskFile

  constructor(file: DiskFile, pageBytes: number) {
    this.#file = file
    this.pageBytes = pageBytes
    this.pages = Math.floor(file.size() / pageBytes)
  }

  /** Some consecutive pages, in their own memory unless some is given. The first two are not pages of a tree. */
  read(first: number, count = 1, into?: Buffer): Buffer {
    if (!(first >= 2) || !(first + count <= this.pages)) throw new PageDamage('it lies outside the file')
    const bytes = into ?? Buffer.allocUnsafeSlow(count * this.pageBytes)
    if (this.#file.read(bytes, first * this.pageBytes) < bytes.length)
      throw new PageDamage('it lies outside the file')
    return bytes
  }
}
