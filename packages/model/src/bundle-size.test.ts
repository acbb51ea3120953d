import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

test('what runs beside the SDK is less than 35 KB, minified and gzipped', async () => {
  const bundle = await rolldown({
    input: join(dirname(fileURLToPath(import.meta.url)), 'index.ts'),
    external: ['@aws-sdk/client-dynamodb'],
    platform: 'neutral',
  })
  const { output } = await bundle.generate({ minify: true, format: 'esm' })
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
  const imported = new Set([...code.matchAll(/from\s*["']([^"']+)["']/g)].map(([, name]) => name))
  expect([...imported]).toEqual(['@aws-sdk/client-dynamodb'])
  expect(gzipSync(code).length).toBeLessThan(35 * 1024)
})
