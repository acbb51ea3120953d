import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const light = tokensIn(css.slice(css.indexOf(':root {'), css.indexOf(":root[data-theme='dark']")))
const dark = new Map([...light, ...tokensIn(css.slice(css.indexOf(":root[data-theme='dark']")))])

const surfaces = ['--bg', '--surface', '--surface-2']
const texts = ['--text', '--text-2', '--text-3', '--accent-text', '--danger-text']
const types = ['s', 'n', 'b', 'bool', 'null', 'm', 'l', 'set'].map((type) => `--type-${type}`)
const pairs: readonly (readonly [string, string])[] = [
  ...surfaces.flatMap((surface) => [...texts, ...types].map((text) => [text, surface] as const)),
  ['--text-2', '--surface-3'],
  ...['blue', 'teal', 'green', 'amber', 'orange', 'red', 'pink', 'purple', 'grey'].map(
    (colour) => ['--on-connection', `--connection-${colour}`] as const,
  ),
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-hover'],
  ['--on-accent', '--danger'],
  ['--accent-text', '--accent-soft'],
  ['--text-2', '--accent-soft'],
  ['--danger-text', '--danger-soft'],
  ['--warning-text', '--warning-soft'],
  ['--success-text', '--success-soft'],
  ['--info-text', '--info-soft'],
]

describe.each([
  ['light', light],
  ['dark', dark],
])('in the %s theme', (_name, tokens) => {
  test('text has a contrast of at least 4.5 on whatever it stands on', () => {
    const faint = pairs.flatMap(([text, surface]) => {
      const found = contrast(colourOf(tokens, text), colourOf(tokens, surface))
      return found < 4.5 ? [`${text} on ${surface}: ${found.toFixed(2)}`] : []
    })
    expect(faint).toEqual([])
  })
})

function tokensIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function colourOf(tokens: ReadonlyMap<string, string>, name: string): string {
  const colour = tokens.get(name)
  if (colour === undefined) throw new Error(`tokens.css has no colour ${name}`)
  return colour
}

/** As WCAG 2 defines it. */
function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
