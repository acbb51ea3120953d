import { join } from 'node:path'
import { startHashrange } from '../servers/start-server.ts'
import type { BenchContext } from './bench-context.ts'
import { median } from './median.ts'

export interface Startup {
  readonly firstAnswerMs: number
  readonly eachMs: readonly number[]
}

/** From spawning `hashrange start` to its first answer: the first time with a new folder, then with the same one. */
export async function measureStartup(context: BenchContext): Promise<Startup> {
  const eachMs: number[] = []
  for (let time = 1; time <= context.options.startups; time++) {
    context.progress.show(`start-up: ${time} of ${context.options.startups}`)
    const server = await startHashrange(context, join(context.folder, 'startup'))
    eachMs.push(server.firstAnswerMs)
    await server.stop()
  }
  return { firstAnswerMs: median(eachMs), eachMs }
}
