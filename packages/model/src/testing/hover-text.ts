import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What an editor shows for names in a model file, asked of the compiler's language server. `names` are found where they
 *  first stand in the source. */
export async function hoverTexts(source: string, names: readonly string[]): Promise<readonly string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hashrange-hover-')))
  const packageFolder = join(import.meta.dirname, '..', '..')
  const compiler = join(packageFolder, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
  const file = join(folder, 'given.model.ts')
  mkdirSync(join(folder, 'node_modules', '@hashrange'), { recursive: true })
  symlinkSync(packageFolder, join(folder, 'node_modules', '@hashrange', 'model'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(file, source)
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: folder })
  try {
    const { notify, request } = talkTo(server)
    await request('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
    notify('initialized', {})
    const uri = pathToFileURL(file).href
    notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text: source },
    })
    const texts: string[] = []
    for (const name of names) {
      const position = positionOf(source, name)
      const answer = await request('textDocument/hover', { textDocument: { uri }, position })
      texts.push((answer as Hover | null)?.contents.value ?? '')
    }
    return texts
  } finally {
    server.kill()
    await once(server, 'close')
    rmSync(folder, { recursive: true })
  }
}

interface Hover {
  readonly contents: { readonly value: string }
}

const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } }

const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  customConditions: ['source'],
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  types: [],
}

function positionOf(source: string, name: string): { readonly line: number; readonly character: number } {
  const before = source.slice(0, source.search(new RegExp(`\\b${name}\\b`))).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** The language server protocol, as far as one question after another needs it. */
function talkTo({ stdin, stdout }: ReturnType<typeof spawn>): {
  readonly notify: (method: string, params: object) => void
  readonly request: (method: string, params: object) => Promise<unknown>
} {
  let received = Buffer.alloc(0)
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  stdout?.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, Math.max(end, 0)).toString())?.[1])
      if (end === -1 || received.length < end + 4 + length) return
      const message = JSON.parse(received.subarray(end + 4, end + 4 + length).toString()) as Message
      received = received.subarray(end + 4 + length)
      // Its own questions (settings, watched files) must be answered, or it waits.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null })
      else if (message.id !== undefined) waiting.get(message.id)?.(message)
    }
  })
  let last = 0
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
      send({ id, method, params })
    })
  return { request, notify: (method, params) => send({ method, params }) }
}
