/** Something to wait for: a while, or until woken. */
export class Wakeup {
  #wake: (() => void) | undefined
  #isWoken = false

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Returns at once if it was woken since the last time. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds).unref()
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      this.#wake = undefined
    }
    this.#isWoken = false
  }
}
