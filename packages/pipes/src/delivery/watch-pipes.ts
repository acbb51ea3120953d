import type { Pipes } from '../pipes.ts'

/** Has every pipe run on one of the servers that share the store. A server without pipes looks once a second whether there
 *  are some, and has loaded nothing else. */
export function watchPipes(pipes: Pipes): void {
  pipes.background.every(1_000, async (stopping) => {
    const running = (await pipes.pipes.all()).filter(({ record }) => record.state === 'RUNNING')
    if (running.length === 0) return
    const { runPipes } = await import('./run-pipes.ts')
    await pipes.background.hold('pipes', stopping, (lease) => runPipes(pipes, lease))
  })
}
