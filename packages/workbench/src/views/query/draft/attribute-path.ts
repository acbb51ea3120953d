import { TextMistake } from '../../../values/json-text.ts'

export type PathStep =
  { readonly kind: 'name'; readonly name: string } | { readonly kind: 'index'; readonly at: number }

/** Reads `address.city`, `tags[0].name` and `"a name with. dots"`. Throws a `TextMistake`. */
export function parsePath(text: string): PathStep[] {
  const steps: PathStep[] = []
  let rest = text.trim()
  while (rest !== '') {
    const index = /^\[(\d{1,9})\]/.exec(rest)
    const quoted = /^(\.?)"((?:[^"\\]|\\.)*)"/.exec(rest)
    const plain = /^(\.?)([^.[\]"]+)/.exec(rest)
    if (index?.[1] !== undefined && steps.length > 0) {
      steps.push({ kind: 'index', at: Number(index[1]) })
      rest = rest.slice(index[0].length)
      continue
    }
    const match = quoted ?? plain
    const name = quoted?.[2]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2]?.trim()
    if (match === null || name === undefined || name === '' || (match[1] === '.') !== steps.length > 0) {
      throw new TextMistake(
        `"${text.slice(0, 60)}" is not a path. Write name, map.name or list[0]. Put a name that contains dots in double quotes.`,
        0,
      )
    }
    steps.push({ kind: 'name', name })
    rest = rest.slice(match[0].length)
  }
  return steps
}

/** A name as it stands in a path. */
export function pathOf(name: string): string {
  return /^[^.[\]",\s][^.[\]",]*$/.test(name) && name.trim() === name
    ? name
    : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Paths with commas in between; a comma in quotes is none. */
export function splitPaths(text: string): string[] {
  return [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g)]
    .map(([part]) => part.trim())
    .filter((part) => part !== '')
}
