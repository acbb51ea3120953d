import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const source = dirname(fileURLToPath(import.meta.url))

test.each([
  ['the client', join(source, 'client', 'connect.ts'), 28],
  // What a model file needs comes on top: types, keys, and the sentences for what is wrong with a model.
  ['the client and everything a model file can import', join(source, 'index.ts'), 39],
])('%s, minified and gzipped, stays small and needs nothing but the SDK', async (_name, input, kilobytes) => {
  const bundle = await rolldown({ input, external: ['@aws-sdk/client-dynamodb'], platform: 'neutral' })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
  const imported = new Set([...code.matchAll(/from\s*["']([^"']+)["']/g)].map(([, name]) => name))
  expect([...imported]).toEqual(['@aws-sdk/client-dynamodb'])
  expect(gzipSync(code).length).toBeLessThan(kilobytes * 1024)
})
