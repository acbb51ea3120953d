import type { Page } from 'playwright-core'

/** What would keep somebody from using the page without seeing it, or without a mouse, as far as a program can tell. */
export function pageDefects(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const show = (element: Element): string => element.outerHTML.slice(0, 140)
    const textOf = (element: Element): string => (element.textContent ?? '').trim()
    const labelled = (element: Element): boolean => {
      const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter((id) => id !== '')
      const byId = ids.some((id) => textOf(document.getElementById(id) ?? document.createElement('i')) !== '')
      return (
        byId ||
        (element.getAttribute('aria-label') ?? '').trim() !== '' ||
        (element.getAttribute('title') ?? '') !== ''
      )
    }
    for (const element of document.querySelectorAll('button, a[href], [role=button], [role=switch], [role=tab]')) {
      if (textOf(element) === '' && !labelled(element)) found.push(`no name: ${show(element)}`)
    }
    for (const element of document.querySelectorAll<HTMLInputElement>('input, select, textarea')) {
      const isHidden = element.type === 'hidden' || element.closest('[aria-hidden=true]') !== null
      if (!isHidden && !labelled(element) && [...(element.labels ?? [])].every((label) => textOf(label) === ''))
        found.push(`no label: ${show(element)}`)
    }
    for (const role of ['grid', 'dialog', 'listbox', 'tablist', 'img']) {
      for (const element of document.querySelectorAll(`[role=${role}]`)) {
        if (!labelled(element)) found.push(`no name for ${role}: ${show(element)}`)
      }
    }
    // What the editor measures by is hidden from everyone.
    for (const image of document.querySelectorAll('img:not([aria-hidden=true])')) {
      if (image.getAttribute('alt') === null) found.push(`no alternative text: ${show(image)}`)
    }
    for (const element of document.querySelectorAll('[tabindex]')) {
      if (Number(element.getAttribute('tabindex')) > 0) found.push(`tab order of its own: ${show(element)}`)
    }
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    for (const id of new Set(ids.filter((candidate, position) => ids.indexOf(candidate) !== position))) {
      found.push(`two elements have the id ${id}`)
    }
    if (document.querySelectorAll('h1').length > 1) found.push('two main headings')
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page is wider than the window')
    return found
  })
}
