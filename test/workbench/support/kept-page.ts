import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from './browser.ts'

const viewport = { width: 1280, height: 720 }

/** The page of the test before, with nothing remembered. */
let kept: Page | undefined

/** A page in a context of its own. */
export async function newPage(): Promise<Page> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    // Nobody looks on: frames in between would be drawn for nothing.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** The page that was put back last, or a new one. A process of the browser that has shown the workbench before shows it again
 *  for less than half of the processor time that a new one takes. */
export async function takePage(): Promise<Page> {
  const page = kept
  kept = undefined
  return page === undefined || page.isClosed() ? newPage() : page
}

/** Keeps a page for the next test, as if it were new, or closes it. */
export async function putBack(page: Page, origin: string): Promise<void> {
  if (kept === undefined && !page.isClosed() && (await wasCleared(page, origin))) kept = page
  else await page.context().close()
}

async function wasCleared(page: Page, origin: string): Promise<boolean> {
  const context = page.context()
  try {
    for (const event of ['console', 'pageerror', 'request', 'requestfailed', 'response', 'dialog', 'download']) {
      page.removeAllListeners(event)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.all(othersOf(page).map((other) => other.close()))
    // A picture of this server: nothing runs there that could write into what is cleared. An empty page would be another process.
    await page.goto(`${origin}/_workbench/icon.svg`, { timeout: 20_000 })
    await page.evaluate(() => sessionStorage.clear())
    await clearStorage(context, page, origin)
    await page.setViewportSize(viewport)
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'reduce' })
    return true
  } catch {
    // Its server is gone, or the page does not answer: the next test has a new one.
    return false
  }
}

async function clearStorage(context: BrowserContext, page: Page, origin: string): Promise<void> {
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}

function othersOf(page: Page): Page[] {
  return page
    .context()
    .pages()
    .filter((other) => other !== page)
}
