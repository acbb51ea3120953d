import type { CopyState } from '@hashrange/workbench/answers'
import { ApiRefusal } from '../api-handler.ts'
import { CopyJob, type CopyRequest } from './copy-job.ts'

const mostRunning = 4
const mostKept = 20

/** The copies between databases that the page has started. */
export class Copies {
  readonly #jobs = new Map<string, CopyJob>()

  begin(holder: string, request: CopyRequest, explain: (error: unknown) => string): CopyState {
    const running = [...this.#jobs.values()].filter(({ isRunning }) => isRunning)
    if (running.length >= mostRunning) {
      throw new ApiRefusal(429, 'TooMany', 'Four copies are running already. Wait for one of them, or cancel one.')
    }
    for (const [id, { isRunning }] of this.#jobs) {
      if (!isRunning && this.#jobs.size >= mostKept) this.#jobs.delete(id)
    }
    const job = new CopyJob(holder, request, explain)
    this.#jobs.set(job.id, job)
    return job.state
  }

  /** Others' copies are none of one's business. */
  require(holder: string, id: string): CopyJob {
    const job = this.#jobs.get(id)
    if (job !== undefined && job.holder === holder) return job
    throw new ApiRefusal(404, 'NoCopy', 'hashrange does not know this copy. Was it restarted?')
  }
}
