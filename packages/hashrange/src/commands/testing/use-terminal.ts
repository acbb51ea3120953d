import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'

export interface Terminal {
  /** An empty folder for each test. */
  readonly folder: string
  /** All that was printed, to either output. A test may empty it. */
  told: string
}

/** Where the commands of a test file run. */
export function useTerminal(name: string): Terminal {
  const terminal = { folder: '', told: '' }
  const print = (text: string): void => void (terminal.told += `${text}\n`)

  beforeEach(async () => {
    terminal.folder = await mkdtemp(join(tmpdir(), `hashrange-${name}-`))
    terminal.told = ''
    vi.spyOn(console, 'log').mockImplementation(print)
    vi.spyOn(console, 'error').mockImplementation(print)
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(terminal.folder, { recursive: true })
  })

  return terminal
}
