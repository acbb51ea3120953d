import { functionArn, type LambdaFunction } from './lambda-function.ts'

export interface LogLine {
  /** Counts the lines of a function since the process started. */
  readonly number: number
  readonly atMs: number
  /** What the function printed, or how a call of it failed. */
  readonly kind: 'printed' | 'failed'
  readonly text: string
}

const mostLines = 500
const mostCharacters = 256 * 1024
const mostFunctions = 200

interface Log {
  next: number
  characters: number
  lines: LogLine[]
}

/** The latest lines of each function, in the memory of this process. Neither a function that prints much nor many functions
 *  make it grow. */
export class FunctionLogs {
  readonly #logs = new Map<string, Log>()

  add(called: Pick<LambdaFunction, 'scope' | 'name'>, line: Omit<LogLine, 'number'>): void {
    const arn = functionArn(called.scope, called.name)
    const log = this.#logs.get(arn) ?? { next: 1, characters: 0, lines: [] }
    // Whoever printed last is forgotten last.
    this.#logs.delete(arn)
    this.#logs.set(arn, log)
    log.lines.push({ number: log.next++, ...line })
    log.characters += line.text.length
    while (log.lines.length > mostLines || (log.characters > mostCharacters && log.lines.length > 1)) {
      log.characters -= log.lines.shift()?.text.length ?? 0
    }
    const [oldest] = this.#logs.keys()
    if (this.#logs.size > mostFunctions && oldest !== undefined) this.#logs.delete(oldest)
  }

  /** Those after the line of this number. */
  after(called: Pick<LambdaFunction, 'scope' | 'name'>, number: number): readonly LogLine[] {
    return (this.#logs.get(functionArn(called.scope, called.name))?.lines ?? []).filter(
      (line) => line.number > number,
    )
  }
}
