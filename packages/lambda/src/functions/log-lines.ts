/** How much of what a function prints is returned to those who ask for it. */
const tailBytes = 4096
/** A longer line is shown in parts. */
const longestLine = 16 * 1024

/** What a function prints: passed on line by line, and its end kept. */
export class LogLines {
  readonly #print: (line: string) => void
  #open = ''
  #tail: Buffer = Buffer.alloc(0)

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  /** Forgets what was printed before. */
  begin(): void {
    this.#tail = Buffer.alloc(0)
  }

  get tail(): Buffer {
    return this.#tail
  }

  /** Kept without being printed: what Lambda itself adds to a log. */
  note(line: string): void {
    this.#keep(Buffer.from(`${line}\n`))
  }

  add(chunk: Buffer): void {
    this.#keep(chunk)
    const lines = (this.#open + chunk.toString('utf8')).split('\n')
    this.#open = lines.pop() ?? ''
    for (const line of lines) this.#print(line)
    while (this.#open.length > longestLine) {
      this.#print(this.#open.slice(0, longestLine))
      this.#open = this.#open.slice(longestLine)
    }
  }

  end(): void {
    if (this.#open !== '') this.#print(this.#open)
    this.#open = ''
  }

  #keep(chunk: Buffer): void {
    const whole = Buffer.concat([this.#tail, chunk.subarray(-tailBytes)])
    this.#tail = whole.subarray(-tailBytes)
  }
}
