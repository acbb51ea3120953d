import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Compresses what is built, once, so that the server never has to. */
export function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const bytes = await readFile(path)
        if (bytes.length < 512) continue
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
        await writeFile(`${path}.br`, await brotli(bytes))
      }
    },
  }
}

function brotli(bytes: Uint8Array): Promise<Buffer> {
  return promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      // The best quality takes several times as long for two hundredths of the size.
      [constants.BROTLI_PARAM_QUALITY]: 10,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
