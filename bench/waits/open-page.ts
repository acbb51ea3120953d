import type { Browser } from 'playwright-core'

/** Flags of the package with which it draws without a graphics card, in one process: pages open as they do for people. */
const unwanted = /^--(single-process|no-zygote|headless|use-gl|use-angle|in-process-gpu|enable-unsafe-swiftshader)/

/** A real Chromium, where this machine can run the one that the tests use. */
export async function openBrowser(): Promise<Browser | undefined> {
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const { chromium: playwright } = await import('playwright-core')
    return await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [...chromium.args.filter((flag) => !unwanted.test(flag)), '--disable-gpu'],
      headless: true,
    })
  } catch {
    return undefined
  }
}

/** How long after its navigation began a page of the workbench shows the table and answers a key, as it sees it itself. */
export async function interactiveAfterMs(browser: Browser, address: string, tableName: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } })
  try {
    const page = await context.newPage()
    await page.goto(address)
    await page.getByRole('row', { name: new RegExp(tableName) }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).waitFor()
    return await page.evaluate<number>('performance.now()')
  } finally {
    await context.close()
  }
}
