import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds in the page as it is shown now: the rule and the places that break it. */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The content policy is for the page; what the debugger evaluates is not asked about it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const { violations } = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return axe.run({
      resultTypes: ['violations'],
      ...(only !== undefined && { runOnly: { type: 'rule', values: only } }),
    })
  }, rules)
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`.trim()),
  )
}
