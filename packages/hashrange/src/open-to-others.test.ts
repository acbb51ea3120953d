import { execFile } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { open } from './open.ts'
import { assertNotOpenToOthers, OpenToOthers } from './open-to-others.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const others = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal }) => !internal)
  .map(({ address }) => address)

describe('a server that asks nobody who they are', () => {
  test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost', '::ffff:127.0.0.1', '127.1'])(
    'may listen on %s',
    async (host) => {
      await assertNotOpenToOthers({ host, isClosed: false }, 'command')
    },
  )

  test.each(['0.0.0.0', '::', '', '0', '::ffff:0.0.0.0', '192.0.2.1', '2001:db8::1', '128.0.0.1', ...others])(
    'may not listen on %j, unless it is meant to be open, or closed',
    async (host) => {
      await expect(assertNotOpenToOthers({ host, isClosed: false }, 'command')).rejects.toThrow(OpenToOthers)
      await assertNotOpenToOthers({ host, isClosed: true }, 'command')
      await assertNotOpenToOthers({ host, isClosed: false, insecure: true }, 'command')
    },
  )
})

describe('hashrange start', () => {
  const refusals: [string[], Record<string, string>][] = [
    [['--host', '0.0.0.0'], {}],
    [['--host', '::'], {}],
    [[], { HASHRANGE_HOST: '0.0.0.0', HASHRANGE_INSECURE: '0' }],
  ]
  test.each(refusals)('with %j and %j is refused before it opens anything', async (words, environment) => {
    const { code, text } = await start(words, environment)
    expect(text).toContain('Close it with --auth')
    expect(text).toContain('--insecure (HASHRANGE_INSECURE=1)')
    expect(code).toBe(1)
  })

  const allowed: [string[], Record<string, string>, string][] = [
    [['--host', '0.0.0.0', '--insecure'], {}, 'Anyone who can reach this machine can read and write the data'],
    [['--host', '0.0.0.0'], { HASHRANGE_INSECURE: '1' }, 'Anyone who can reach this machine'],
    [['--host', '0.0.0.0', '--auth'], {}, 'The server is closed.'],
  ]
  test.each(allowed)('with %j and %j serves', async (words, environment, sentence) => {
    const { text } = await start(words, environment)
    expect(text).toContain(sentence)
  })
})

describe('listen', () => {
  test('is refused beyond this machine, unless it is meant or the database is closed', async () => {
    await using database = await open()
    await expect(database.listen({ host: '0.0.0.0' })).rejects.toThrow('listen with insecure: true')
    await expect(database.listen(0, '0.0.0.0')).rejects.toThrow(OpenToOthers)
    await (await database.listen({ host: '0.0.0.0', insecure: true })).close()
    await using closed = await open({ auth: true })
    await (await closed.listen({ host: '0.0.0.0' })).close()
  })
})

/** Until it has greeted, or ended. */
function start(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, 'start', '--memory', '--port', '0', ...words], {
      env: { ...process.env, ...environment },
    })
    let text = ''
    const note = (chunk: string): void => {
      text += chunk
      if (text.includes('Ctrl+C')) setTimeout(() => child.kill('SIGKILL'), 100)
    }
    child.stdout?.on('data', note)
    child.stderr?.on('data', note)
    child.on('close', (code) => resolve({ code, text }))
  })
}
