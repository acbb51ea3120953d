import { fdatasync, write } from 'node:fs'

/** Settles when all bytes have been handed to the system. */
export async function writeAll(descriptor: number, bytes: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < bytes.length) {
    written += await writeSome(descriptor, bytes.subarray(written), position + written)
  }
}

/** Settles when what was written to the file is on disk. */
export function syncFile(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
}

function writeSome(descriptor: number, bytes: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, position, (error, written) => {
      if (error === null) resolve(written)
      else reject(error)
    })
  })
}
