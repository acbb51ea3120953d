import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpRequest, HttpResponse } from '@hashrange/server'
import { pagePolicy, plainResponse, safetyHeaders } from './page-headers.ts'

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['json', 'application/json'],
  ['woff2', 'font/woff2'],
  ['png', 'image/png'],
])

/** Compressed when the page was built, in the order of preference. */
const codings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

interface StoredFile {
  readonly bytes: Buffer
  readonly etag: string
}

/** The built page. Files are read on first use; those with a hash in their name never change. */
export class StaticFiles {
  readonly #folder: string
  readonly #files = new Map<string, StoredFile | undefined>()
  readonly #access: 'open' | 'closed'

  /** The page knows from its first byte whether people sign in here. */
  constructor(folder: string, access: 'open' | 'closed') {
    this.#folder = folder
    this.#access = access
  }

  async answer(request: HttpRequest, path: string): Promise<HttpResponse> {
    const name = path.slice(1)
    if (isView(name)) return this.#page()
    if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name)) return notFound()
    const extension = name.slice(name.lastIndexOf('.') + 1)
    const contentType = contentTypes.get(extension)
    if (contentType === undefined) return notFound()
    for (const coding of codings) {
      if (!accepts(request.acceptEncoding, coding.name)) continue
      const file = await this.#read(name + coding.ending)
      if (file !== undefined) return answerFile(request, name, file, contentType, coding.name)
    }
    const file = await this.#read(name)
    return file === undefined ? notFound() : answerFile(request, name, file, contentType)
  }

  /** The page is small and generated each time, for the nonce under which the editor may add its styles. */
  async #page(): Promise<HttpResponse> {
    const template = await this.#read('index.html')
    if (template === undefined) {
      return plainResponse(
        503,
        'The workbench is being built, and appears here in a few seconds. If it does not, run this in your clone of hashrange: npm run build',
        { Refresh: '2' },
      )
    }
    const nonce = randomBytes(16).toString('base64')
    return {
      status: 200,
      headers: {
        ...safetyHeaders,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': pagePolicy(nonce),
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cache-Control': 'no-store',
      },
      body: Buffer.from(
        template.bytes.toString('utf8').replaceAll('__STYLE_NONCE__', nonce).replace('__ACCESS__', this.#access),
      ),
    }
  }

  async #read(name: string): Promise<StoredFile | undefined> {
    const known = this.#files.get(name)
    if (known !== undefined) return known
    try {
      const bytes = await readFile(join(this.#folder, name))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      const file = { bytes, etag }
      // The page itself names the others: an old one would request files that a new build has removed.
      if (name !== 'index.html') this.#files.set(name, file)
      return file
    } catch {
      return undefined
    }
  }
}

/** A path without an extension, or of a table, whose name may look like that of a file: `items/orders.v2`. The page does its own
 *  routing. */
function isView(name: string): boolean {
  return !/\.[a-z0-9]+$/.test(name) || /^(?!assets\/)[a-z]+\/[\w.-]+$/.test(name)
}

function answerFile(
  request: HttpRequest,
  name: string,
  { bytes, etag }: StoredFile,
  contentType: string,
  coding?: string,
): HttpResponse {
  const headers: Record<string, string> = {
    ...safetyHeaders,
    'Content-Type': contentType,
    'Cache-Control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  }
  if (coding !== undefined) headers['Content-Encoding'] = coding
  if (request.ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true) {
    return { status: 304, headers, body: Buffer.alloc(0) }
  }
  return { status: 200, headers, body: bytes }
}

function accepts(acceptEncoding: string | undefined, coding: string): boolean {
  return (acceptEncoding ?? '').split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';')
    return name.trim().toLowerCase() === coding && !parameters.some((text) => /^\s*q=0(\.0*)?\s*$/i.test(text))
  })
}

function notFound(): HttpResponse {
  return plainResponse(404, 'There is no such file. Open the workbench at /_workbench/')
}
