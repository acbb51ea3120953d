// Runs before the page is painted, so that the theme does not flash in.
;(() => {
  let theme = null
  try {
    theme = localStorage.getItem('hashrange.theme')
  } catch {
    // Storage may be forbidden; the system's theme is fine.
  }
  if (theme !== 'light' && theme !== 'dark')
    theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme
})()
