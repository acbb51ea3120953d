import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const source = dirname(fileURLToPath(import.meta.url))

test.each([
  ['the client', join(source, 'client', 'connect.ts'), 28],
  // 35 KB is the promise. esbuild, which most functions are bundled with, needs some hundred bytes more than rolldown.
  ['all exports, in a bundle for production,', join(source, 'production.ts'), 34.5],
  // What a model file needs comes on top: the checks of its definitions, and their sentences.
  ['all exports', join(source, 'index.ts'), 39.5],
])('%s, minified and gzipped, stays small and needs nothing but the SDK', async (_name, input, kilobytes) => {
  const bundle = await rolldown({ input, external: ['@aws-sdk/client-dynamodb'], platform: 'neutral' })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
  const imported = new Set([...code.matchAll(/from\s*["']([^"']+)["']/g)].map(([, name]) => name))
  expect([...imported]).toEqual(['@aws-sdk/client-dynamodb'])
  expect(gzipSync(code).length).toBeLessThan(kilobytes * 1024)
})
