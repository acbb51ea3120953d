import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface MemoryUse {
  readonly rssBytes: number
  /** Linux only. Pages of mapped files belong to the page cache and can be dropped at any time; these cannot. */
  readonly anonymousBytes?: number
}

/** What a process occupies now; nothing if it is gone. */
async function memoryUse(pid: number): Promise<MemoryUse | undefined> {
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return { rssBytes: lineBytes(status, 'VmRSS'), anonymousBytes: lineBytes(status, 'RssAnon') }
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
    return { rssBytes: Number(stdout) * 1_024 }
  } catch {
    return undefined
  }
}

/** Watches a process until it is asked for the peak. */
export class MemoryWatch {
  readonly #timer: NodeJS.Timeout
  readonly #pid: number
  #peak: MemoryUse = { rssBytes: 0 }

  constructor(pid: number) {
    this.#pid = pid
    this.#timer = setInterval(() => void this.#look(), 100)
    this.#timer.unref()
  }

  async peak(): Promise<MemoryUse> {
    clearInterval(this.#timer)
    await this.#look()
    return this.#peak
  }

  async #look(): Promise<void> {
    const now = await memoryUse(this.#pid)
    if (now !== undefined) this.#peak = largerOf(this.#peak, now)
  }
}

export function largerOf(one: MemoryUse, other: MemoryUse): MemoryUse {
  const rssBytes = Math.max(one.rssBytes, other.rssBytes)
  const anonymousBytes = Math.max(one.anonymousBytes ?? 0, other.anonymousBytes ?? 0)
  return anonymousBytes === 0 ? { rssBytes } : { rssBytes, anonymousBytes }
}

function lineBytes(status: string, name: string): number {
  const line = new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)
  return Number(line?.[1] ?? 0) * 1_024
}
