import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What stands out of the window at its side, where nobody can scroll to it. What scrolls by itself is seen by scrolling it. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page is wider than the window')
    const canBeReached = (element: Element): boolean => {
      for (let above = element.parentElement; above !== null; above = above.parentElement) {
        const { overflowX, position } = getComputedStyle(above)
        if (overflowX === 'auto' || overflowX === 'scroll') return true
        // Text that is cut off on purpose ends in an ellipsis and has a title.
        if (getComputedStyle(above).textOverflow === 'ellipsis') return true
        if (position === 'fixed') return false
      }
      return false
    }
    for (const element of document.querySelectorAll(
      'button, a, input, select, textarea, h1, h2, p, td, dd, [role=tab]',
    )) {
      const { left, right, width, height } = element.getBoundingClientRect()
      if (width <= 1 || height <= 1 || getComputedStyle(element).visibility === 'hidden') continue
      if (element.closest('.skip-link, .visually-hidden, [aria-hidden=true]') !== null) continue
      if ((right > window.innerWidth + 1 || left < -1) && !canBeReached(element)) {
        found.push(`${Math.round(left)}–${Math.round(right)}: ${element.outerHTML.slice(0, 120)}`)
      }
    }
    return found.slice(0, 5)
  })
}

/** What the page says in place of data is read on a phone as well: code in it scrolls by itself. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  const sides = () =>
    page.locator('.empty-text').evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      return left >= 0 && right <= window.innerWidth
    })
  await expect.poll(sides).toBe(true)
}
