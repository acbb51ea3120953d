/** Takes over the terminal for a while: the alternate screen without a cursor, and keys as they are pressed.
 *  Everything is restored afterwards, however it ends. */
export class Terminal {
  readonly #input: NodeJS.ReadStream
  readonly #output: NodeJS.WriteStream
  readonly #onKey: (input: string) => void
  readonly #onResize: () => void
  #isOpen = false

  constructor(
    input: NodeJS.ReadStream,
    output: NodeJS.WriteStream,
    on: { readonly key: (input: string) => void; readonly resize: () => void },
  ) {
    this.#input = input
    this.#output = output
    this.#onKey = on.key
    this.#onResize = on.resize
  }

  get columns(): number {
    return Math.max(20, this.#output.columns || 80)
  }

  get rows(): number {
    return Math.max(6, this.#output.rows || 24)
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#output.write('\x1b[?1049h\x1b[?25l\x1b[?7l')
    this.#input.setRawMode(true)
    this.#input.setEncoding('utf8')
    this.#input.on('data', this.#read)
    this.#input.resume()
    this.#output.on('resize', this.#onResize)
    process.on('exit', this.#restore)
  }

  /** Line by line over what is there, so that nothing flickers. */
  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return
    this.#output.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#restore()
    this.#isOpen = false
    this.#input.off('data', this.#read)
    this.#input.pause()
    this.#output.off('resize', this.#onResize)
    process.off('exit', this.#restore)
  }

  /** Ctrl+Z: the shell gets its terminal back until the program continues. */
  #suspend(): void {
    this.close()
    process.once('SIGCONT', () => {
      this.open()
      this.#onResize()
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  readonly #read = (chunk: string | Buffer): void => {
    for (const input of inputsOf(String(chunk))) {
      if (input === '\x1a' && process.platform !== 'win32') this.#suspend()
      else this.#onKey(input)
    }
  }

  readonly #restore = (): void => {
    if (!this.#isOpen) return
    this.#input.setRawMode(false)
    this.#output.write('\x1b[?7h\x1b[?25h\x1b[?1049l')
  }
}

/** Keys that were pressed at once arrive together: each is one character, or an escape sequence. */
export function inputsOf(chunk: string): string[] {
  // eslint-disable-next-line no-control-regex -- escape sequences begin with one
  return chunk.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|[\s\S]/gu) ?? []
}
