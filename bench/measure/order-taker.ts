import { fork, type ChildProcess } from 'node:child_process'

type Report<Result> =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failure'; readonly message: string }

/** A process of ours that carries out one order after another. */
export class OrderTaker<Order extends object, Result> {
  readonly pid: number
  readonly #name: string
  readonly #child: ChildProcess

  constructor(name: string, moduleFile: string, moduleArguments: readonly string[] = []) {
    this.#name = name
    this.#child = fork(moduleFile, moduleArguments)
    this.pid = this.#child.pid ?? 0
  }

  run(order: Order, onProgress?: (done: number) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        this.#child.off('message', onMessage)
        this.#child.off('exit', onExit)
        act()
      }
      const onMessage = (report: Report<Result>): void => {
        if (report.kind === 'progress') onProgress?.(report.done)
        else if (report.kind === 'result') settle(() => resolve(report.result))
        else settle(() => reject(new Error(`${this.#name}: ${report.message}`)))
      }
      const onExit = (): void => settle(() => reject(new Error(`${this.#name} ended unexpectedly.`)))
      this.#child.on('message', onMessage)
      this.#child.on('exit', onExit)
      this.#child.send(order)
    })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}

/** The other side: makes this process one that takes orders, until the process that gives them is gone. */
export function takeOrders(carryOut: (order: never, onProgress: (done: number) => void) => Promise<unknown>): void {
  const report = (message: Report<unknown>): void => void process.send?.(message)
  process.on('disconnect', () => process.exit())
  // An interrupt reaches the whole group; the leading process ends this one when it is done.
  process.on('SIGINT', () => undefined)
  process.on('message', (order) => {
    // The two sides are built together, so that what arrives is what `carryOut` takes.
    carryOut(order as never, (done) => report({ kind: 'progress', done })).then(
      (result) => report({ kind: 'result', result }),
      (error: unknown) =>
        report({ kind: 'failure', message: error instanceof Error ? error.message : String(error) }),
    )
  })
}
