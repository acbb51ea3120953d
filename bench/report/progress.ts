/** What is going on, on stderr: one line that changes on a terminal, a line now and then elsewhere. */
export class Progress {
  #shownAtMs = 0
  #stage = ''

  show(text: string): void {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\u001b[K${text}`)
      return
    }
    const stage = text.split(':', 1)[0] ?? ''
    const nowMs = performance.now()
    if (stage === this.#stage && nowMs - this.#shownAtMs < 5_000) return
    this.#stage = stage
    this.#shownAtMs = nowMs
    process.stderr.write(`${text}\n`)
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }
}
