import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@hashrange/engine'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { WorkbenchOptions } from 'hashrange/workbench'
import { loadExample, type ExampleName } from './example-data.ts'
import { newPage, putBack, takePage } from './kept-page.ts'
import { pageDefects } from './page-defects.ts'
import { startWorkbench, testToken, type WorkbenchServer } from './workbench-server.ts'

const screenshots = fileURLToPath(new URL('../screenshots/', import.meta.url))

export interface Workbench {
  readonly server: WorkbenchServer
  /** Opens a path such as `/tables/shop`: 1280 × 720, nothing remembered. Each page of a test has a context of its own. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** Sees to it that what is shown has names and labels, for whoever cannot look; and with HASHRANGE_SCREENSHOTS=all keeps a
   *  screenshot in light and one in dark, for whoever can. */
  shoot(page: Page, name: string): Promise<void>
  /** An error on the console that belongs to the test, such as an answer of 400, is no problem. */
  expectConsole(pattern: RegExp): void
}

export interface OpenOptions {
  /** Another server's, such as `http://127.0.0.1:43210`. */
  readonly origin?: string
  /** What the address ends in; the server's own unless told, and nothing if it is empty. */
  readonly token?: string
  /** Whether the browser has to fetch and compile all files: it has those of the tests before unless told. */
  readonly isFirstVisit?: boolean
}

export interface WorkbenchSetup extends Partial<WorkbenchOptions> {
  /** Closes the server to all but these identities. */
  readonly identities?: object
  /** The server's, where what it shows must not depend on how busy the machine is. */
  readonly clock?: Clock
  /** The examples to load, before the first test. */
  readonly examples?: readonly ExampleName[]
}

interface OpenedPage {
  readonly page: Page
  readonly origin: string
  readonly mayBeKept: boolean
}

/** A server with the workbench and a browser, for the tests of a file (or of a `describe`). After each test its pages are closed
 *  or cleared, and whatever the browser complained of meanwhile (errors, refusals of the content security policy) fails it. */
export function useWorkbench(setup: WorkbenchSetup = {}): Workbench {
  let server: WorkbenchServer | undefined
  const pages: OpenedPage[] = []
  let problems: string[] = []
  let expected: RegExp[] = []

  beforeAll(async () => {
    server = await startWorkbench(setup)
    for (const name of setup.examples ?? []) await loadExample(server.execute, name)
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepFailure(pages, task.name)
    const isSound = task.result?.state !== 'fail'
    for (const { page, origin, mayBeKept } of pages.splice(0)) {
      if (isSound && mayBeKept) await putBack(page, origin)
      else await page.context().close()
    }
    const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
    problems = []
    expected = []
    expect(unexpected).toEqual([])
  })

  afterAll(() => server?.close())

  const started = (): WorkbenchServer => {
    if (server === undefined) throw new Error('The server starts before the first test.')
    return server
  }
  return {
    get server() {
      return started()
    },
    open: async (path, { origin = started().origin, token = testToken, isFirstVisit = false } = {}) => {
      const mayBeKept = pages.length === 0 && !isFirstVisit
      const page = await (mayBeKept ? takePage() : newPage())
      pages.push({ page, origin, mayBeKept })
      page.on('pageerror', (error) => problems.push(`page error: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
      })
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? ''
        // Work that was cancelled, by a user or by leaving a view.
        if (reason !== 'net::ERR_ABORTED') problems.push(`request failed: ${request.url()} ${reason}`)
      })
      await page.goto(`${origin}/_workbench${path}${token === '' ? '' : `#token=${token}`}`)
      return page
    },
    shoot: async (page, name) => {
      expect(await pageDefects(page)).toEqual([])
      if (process.env['HASHRANGE_SCREENSHOTS'] !== 'all') return
      await mkdir(screenshots, { recursive: true })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.evaluate(() => document.fonts.ready.then(() => undefined))
        // Two frames: the first may still be drawn in the colours of before.
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        )
        await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}.png`) })
      }
      await page.emulateMedia({ colorScheme: 'light' })
    },
    expectConsole: (pattern) => void expected.push(pattern),
  }
}

/** What the pages of a test showed when it failed. */
async function keepFailure(pages: readonly OpenedPage[], name: string): Promise<void> {
  const word = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
  for (const [number, page] of pages.flatMap(({ page: opened }) => opened.context().pages()).entries()) {
    await page.screenshot({ path: join(screenshots, `failed-${word}-${number}.png`) }).catch(() => undefined)
  }
}
