import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openS3Buckets, type S3Buckets } from './s3-buckets.ts'

let server: Server
let buckets: S3Buckets
let uploadedParts: number

beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  uploadedParts = 0
  server = createServer(smallS3())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  buckets = await openS3Buckets({ endpoint: `http://127.0.0.1:${port}` })
})

afterEach(async () => {
  buckets.close()
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('buckets behind S3’s API', () => {
  test('give back what was written, and list it by prefix', async () => {
    expect(await buckets.write('exports', 'a/b c.json', chunksOf(Buffer.from('one'), Buffer.from('two')))).toEqual({
      etag: 'etag-6',
    })
    await buckets.write('exports', 'other', chunksOf())
    expect((await contentOf('a/b c.json')).toString()).toBe('onetwo')
    expect(await buckets.list('exports', 'a/')).toEqual([{ key: 'a/b c.json', sizeBytes: 6 }])
  })

  test('take what is large in parts', async () => {
    const chunk = Buffer.alloc(3_000_000, 7)
    await buckets.write('exports', 'large', chunksOf(...Array.from({ length: 7 }, () => chunk)))
    expect(uploadedParts).toBe(3)
    expect((await contentOf('large')).equals(Buffer.alloc(21_000_000, 7))).toBe(true)
  })

  test('say what is missing', async () => {
    await expect(buckets.list('nobody', '')).rejects.toMatchObject({ code: 'NoSuchBucket' })
    await expect(buckets.write('nobody', 'a', chunksOf())).rejects.toMatchObject({ code: 'NoSuchBucket' })
    await expect(contentOf('missing')).rejects.toMatchObject({ code: 'NoSuchKey' })
  })
})

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

async function contentOf(key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of buckets.read('exports', key, 'NONE')) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** As much of S3 as an export needs, with one bucket. */
function smallS3(): (request: IncomingMessage, response: ServerResponse) => void {
  const objects = new Map<string, Buffer>()
  const parts: Buffer[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://s3')
    const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
    const key = rest.join('/')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const fail = (code: string): void => void response.writeHead(404).end(`<Error><Code>${code}</Code></Error>`)
    if (bucket !== 'exports') return fail('NoSuchBucket')
    if (request.method === 'GET' && url.searchParams.has('list-type')) {
      const prefix = url.searchParams.get('prefix') ?? ''
      const found = [...objects].filter(([name]) => name.startsWith(prefix))
      const contents = found.map(
        ([name, { length }]) => `<Contents><Key>${name}</Key><Size>${length}</Size></Contents>`,
      )
      response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`)
    } else if (request.method === 'GET') {
      const content = objects.get(key)
      if (content === undefined) fail('NoSuchKey')
      else response.end(content)
    } else if (url.searchParams.has('uploads')) {
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    } else if (url.searchParams.has('partNumber')) {
      uploadedParts++
      parts[Number(url.searchParams.get('partNumber'))] = body
      response.writeHead(200, { etag: '"part"' }).end()
    } else if (url.searchParams.has('uploadId')) {
      objects.set(key, Buffer.concat(parts.splice(0).filter(Boolean)))
      response.end('<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>')
    } else {
      objects.set(key, body)
      response.writeHead(200, { etag: `"etag-${body.length}"` }).end()
    }
  }
  return (request, response) => void answer(request, response)
}
