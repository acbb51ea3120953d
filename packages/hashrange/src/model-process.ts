// The process in which one model file runs, separate from the database: it may loop or fill the memory, and is killed
// for it. The workbench starts it (workbench/models/model-child.ts), and they exchange messages.
import { Worker } from 'node:worker_threads'
import { ApiRefusal } from './workbench/api-handler.ts'
import { ModelAnswers } from './workbench/models/model-answers.ts'
import type { Answered, Asked } from './workbench/models/model-question.ts'

// The SDK's notice about versions of Node.js is for those who write the application.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
const [memoryBytes, checkItems] = process.argv.slice(2).map(Number)
watch(memoryBytes ?? Infinity)
const answers = new ModelAnswers(checkItems)
process.on('message', (asked: Asked) => void answer(asked))
process.on('disconnect', () => process.exit())

async function answer({ id, question }: Asked): Promise<void> {
  send(
    await answers.answer(question).then(
      (given): Answered => ({ id, answer: given ?? null }),
      (error: unknown): Answered => ({ id, refusal: refusalOf(error) }),
    ),
  )
}

function send(answered: Answered): void {
  // Nobody is waiting any more if it fails.
  process.send?.(answered, undefined, undefined, () => undefined)
}

function refusalOf(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof ApiRefusal) return { status: error.status, code: error.code, message: error.message }
  return { status: 400, code: 'ModelFailed', message: error instanceof Error ? error.message : String(error) }
}

/** Ends this process when it uses too much memory, including off the heap, or when its parent is gone. A separate
 *  thread does this, because a looping model leaves this one no time. */
function watch(memoryBytes: number): void {
  const program = `
    const { memoryBytes, parent } = require('node:worker_threads').workerData
    setInterval(() => {
      if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    }, 50)`
  new Worker(program, { eval: true, workerData: { memoryBytes, parent: process.ppid } }).unref()
}
