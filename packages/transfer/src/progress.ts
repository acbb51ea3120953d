export interface ProgressOutput {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** Is told how far a transfer is. */
export interface TransferProgress {
  begin(label: string, total: number | undefined, done?: number): void
  add(items: number, bytes?: number): void
  /** The last of what was started. */
  end(): void
}

/** Shows the progress of a transfer: a bar if somebody watches, a line now and then in a log. */
export class Progress implements TransferProgress {
  readonly #output: ProgressOutput
  readonly #now: () => number
  readonly #startMs: number
  #label = ''
  #total: number | undefined
  #done = 0
  #bytes = 0
  /** Done before this run, so it says nothing about its speed. */
  #before = 0
  #lastMs = Number.NEGATIVE_INFINITY

  constructor(output: ProgressOutput, now: () => number = Date.now) {
    this.#output = output
    this.#now = now
    this.#startMs = now()
  }

  begin(label: string, total: number | undefined, done = 0): void {
    this.#label = label
    this.#total = total
    this.#done = done
    this.#before = done
    this.#bytes = 0
    this.#show(true)
  }

  /** Bytes are shown if they are counted. */
  add(items: number, bytes = 0): void {
    this.#done += items
    this.#bytes += bytes
    this.#show(false)
  }

  /** The last line about what was started. */
  end(): void {
    this.#show(true)
    if (this.#output.isTTY === true) this.#output.write('\n')
  }

  #show(always: boolean): void {
    const isTTY = this.#output.isTTY === true
    const nowMs = this.#now()
    if (!always && nowMs - this.#lastMs < (isTTY ? 100 : 5_000)) return
    this.#lastMs = nowMs
    const text = this.#text(isTTY, nowMs)
    this.#output.write(isTTY ? `\r\u001b[K${text}` : `${text}\n`)
  }

  #text(isTTY: boolean, nowMs: number): string {
    const seconds = (nowMs - this.#startMs) / 1000
    const speed = seconds > 0 ? Math.round((this.#done - this.#before) / seconds) : 0
    const size = this.#bytes > 0 ? `, ${sizeText(this.#bytes)}` : ''
    const items = `${grouped(this.#done)} ${this.#done === 1 ? 'item' : 'items'}${size}`
    const rate = speed > 0 ? `, ${grouped(speed)}/s` : ''
    if (this.#total === undefined) return `${this.#label}: ${items}${rate}`
    // A count that the database only knows roughly may be exceeded.
    const share = Math.min(1, this.#done / Math.max(1, this.#total))
    const bar = isTTY ? ` [${'#'.repeat(Math.round(share * 24)).padEnd(24, '.')}]` : ''
    return `${this.#label}:${bar} ${Math.floor(share * 100)}%, ${items}${rate}`
  }
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** A readable size: `812 bytes`, `1.5 MB`. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
