import { existsSync, statfsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'
import { locked } from './locked.ts'

/** Flags of the package that would let through what the tests are to find, and those that draw with an imitated graphics
 *  card: without one a screenshot takes half the time. */
const unwanted = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
  '--no-zygote',
  '--headless',
  '--use-gl',
  '--use-angle',
  '--enable-unsafe-swiftshader',
  '--in-process-gpu',
  '--ignore-gpu-blocklist',
]

function freeSharedMemoryBytes(): number {
  if (!existsSync('/dev/shm')) return 0
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize
}

let opened: Promise<Browser> | undefined

/** A real Chromium, one for all tests of a process; each of them has contexts of its own. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  opened ??= launch()
  return opened
}

async function launch(): Promise<Browser> {
  // The package that carries it unpacks it when it is first asked for.
  const executablePath = await locked('chromium', () => chromium.executablePath())
  const browser = await playwright.launch({
    executablePath,
    args: [...chromium.args.filter((flag) => !unwanted.includes(flag.split('=', 1)[0] ?? '')), '--disable-gpu'],
    // Chromium shares memory between its processes there, and in files where there is too little of it, as in some containers.
    ignoreDefaultArgs: freeSharedMemoryBytes() > 2 ** 30 ? ['--disable-dev-shm-usage'] : [],
    headless: true,
  })
  // Should it crash, the tests after the one that notices have another.
  browser.once('disconnected', () => (opened = undefined))
  return browser
}
