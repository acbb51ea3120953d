/** What a model file may use before it is stopped. It is a program: it may loop, wait forever or fill the memory,
 *  usually by mistake. */
export interface ModelLimits {
  /** For starting its process and running the file. */
  readonly loadMs: number
  /** For one question about it. */
  readonly answerMs: number
  /** For the checker, which fills a database and runs every pattern on it. */
  readonly checkMs: number
  /** How many items the checker makes up at most. More of them take longer, and make its figures more exact. */
  readonly checkItems: number
  readonly memoryBytes: number
  /** How long its process stays when nothing is asked. */
  readonly idleMs: number
}

export const defaultModelLimits: ModelLimits = {
  loadMs: 60_000,
  answerMs: 60_000,
  checkMs: 300_000,
  checkItems: 4000,
  memoryBytes: 1024 ** 3,
  idleMs: 30_000,
}
