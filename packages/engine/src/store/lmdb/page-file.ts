import { fstatSync, readSync } from 'node:fs'
import { PageDamage } from './tree-page.ts'

/** LMDB's file as pages, read without LMDB: a page that is not there is an error here, and would end the process there. */
export class PageFile {
  readonly pageBytes: number
  /** Those that are there as a whole. */
  readonly pages: number
  readonly #descriptor: number

  constructor(descriptor: number, pageBytes: number) {
    this.#descriptor = descriptor
    this.pageBytes = pageBytes
    this.pages = Math.floor(fstatSync(descriptor).size / pageBytes)
  }

  /** Some pages in a row, in memory of their own. */
  read(first: number, count = 1): Buffer {
    if (!(first >= 2) || first + count > this.pages) throw new PageDamage('it lies outside the file')
    const bytes = Buffer.allocUnsafeSlow(count * this.pageBytes)
    let read = 0
    while (read < bytes.length) {
      const more = readSync(this.#descriptor, bytes, read, bytes.length - read, first * this.pageBytes + read)
      if (more === 0) throw new PageDamage('it lies outside the file')
      read += more
    }
    return bytes
  }
}
