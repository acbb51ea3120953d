import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Sandbox, type SandboxSettings } from './sandbox.ts'

/** The least that speaks the runtime API: it asks for a call, runs `body` with it, and answers with what that returns. */
function sandboxOf(body: string, print: SandboxSettings['print'] = () => undefined): Sandbox {
  const text = `
    const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation'
    const next = await fetch(base + '/next')
    await next.text()
    const answer = await (async () => { ${body} })()
    await fetch(base + '/' + next.headers.get('lambda-runtime-aws-request-id') + '/response', { method: 'POST', body: answer })
    await fetch(base + '/next')`
  const sandbox = new Sandbox({
    command: [process.execPath, '--input-type=module', '-e', text],
    folder: tmpdir(),
    environment: {},
    timeoutMs: 20_000,
    memoryBytes: 512 * 1024 * 1024,
    print,
  })
  onTestFinished(() => sandbox.kill())
  return sandbox
}

const invocation = { requestId: 'r-1', functionArn: 'arn', payload: Buffer.from('{}') }

test('a function that prints faster than its lines are taken waits, and its lines are not kept in memory', async () => {
  let bytes = 0
  let take: (() => void) | undefined
  const taken = new Promise<void>((resolve) => (take = resolve))
  const print = (line: string): Promise<void> => {
    bytes += line.length
    return taken
  }
  const body = `
    for (let at = 0; at < 8 * 1024; at++)
      if (!process.stdout.write('x'.repeat(1023) + '\\n')) await new Promise((resolve) => process.stdout.once('drain', resolve))
    return '"printed"'`
  const invoked = sandboxOf(body, print).invoke(invocation)
  await expect.poll(() => bytes).toBeGreaterThan(0)
  await pause(200)
  expect(bytes).toBeLessThan(1024 * 1024)
  take?.()
  expect((await invoked).payload.toString()).toBe('"printed"')
  await expect.poll(() => bytes).toBe(8 * 1024 * 1023)
})

test('a response is one, whatever it says', async () => {
  const said = '{"errorType":"Function.ResponseSizeTooLarge"}'
  const invoked = await sandboxOf(`return ${JSON.stringify(said)}`).invoke(invocation)
  expect([invoked.functionError, invoked.payload.toString()]).toEqual([undefined, said])
})

test('a response that is too large is a failure', async () => {
  const invoked = await sandboxOf(`return 'x'.repeat(7 * 1024 * 1024)`).invoke(invocation)
  expect(invoked.functionError).toBe('Unhandled')
  expect(invoked.payload.toString()).toContain('Response payload size (7340032 bytes)')
})
