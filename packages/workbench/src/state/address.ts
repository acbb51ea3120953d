// The address as it is. wouter decodes it before it hands it out, so that what is decoded afterwards is decoded twice: `%2541`, which means the text
// `%41`, would become `A`. Whatever reads the address takes it from here.
export { usePathname as useFullPath, useSearch as useQueryText } from 'wouter/use-browser-location'

export const basePath = '/_workbench'

/** The parts of a path below the workbench's own, each decoded once: `['items', 'shop']`. */
export function pathParts(fullPath: string): readonly string[] {
  const inside = fullPath.startsWith(basePath) ? fullPath.slice(basePath.length) : fullPath
  return inside
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
