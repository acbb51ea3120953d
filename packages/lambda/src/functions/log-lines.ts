/** How much of what a function prints is returned to those who ask for it. */
const tailBytes = 4096
/** A longer line is shown in parts. */
const longestLine = 16 * 1024

/** Takes a line. What it returns says when more may follow; undefined, if at once. */
export type Print = (line: string) => Promise<void> | undefined

/** What a function prints: passed on line by line, and its end kept. */
export class LogLines {
  readonly #print: Print
  #open = ''
  #tail: Buffer = Buffer.alloc(0)

  constructor(print: Print) {
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

  /** Returns when more may follow. */
  add(chunk: Buffer): Promise<void> | undefined {
    this.#keep(chunk)
    let taken: Promise<void> | undefined
    const lines = (this.#open + chunk.toString('utf8')).split('\n')
    this.#open = lines.pop() ?? ''
    for (const line of lines) taken = this.#print(line) ?? taken
    while (this.#open.length > longestLine) {
      taken = this.#print(this.#open.slice(0, longestLine)) ?? taken
      this.#open = this.#open.slice(longestLine)
    }
    return taken
  }

  end(): void {
    if (this.#open !== '') void this.#print(this.#open)
    this.#open = ''
  }

  #keep(chunk: Buffer): void {
    const whole = Buffer.concat([this.#tail, chunk.subarray(-tailBytes)])
    this.#tail = whole.subarray(-tailBytes)
  }
}
