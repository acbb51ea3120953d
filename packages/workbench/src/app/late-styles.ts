/** Makes style sheets of those that were only fetched so far (see `build/paint-first.ts`), and waits until they are in force. One that
 *  does not come costs its looks, and not the page. */
export async function applyLateStyles(): Promise<void> {
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[data-late]')]
  await Promise.all(
    links.map(
      (link) =>
        new Promise<void>((done) => {
          // The fetch itself may still tell of its end.
          link.addEventListener('load', () => link.sheet !== null && done())
          link.addEventListener('error', () => done(), { once: true })
          link.rel = 'stylesheet'
        }),
    ),
  )
}
