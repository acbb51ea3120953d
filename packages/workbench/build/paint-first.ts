import type { Plugin } from 'vite'

/** Style sheets of the first load do not keep the page from being painted: what `index.html` holds itself is shown meanwhile. They are
 *  fetched at once, and `applyLateStyles` makes them style sheets, in the place they have: those of the views come after them. */
export function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replaceAll('<link rel="stylesheet"', '<link rel="preload" as="style" data-late'),
    },
  }
}
