/** Text of exactly `width` columns: truncated with an ellipsis, or padded. */
export function cell(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, width)
  const filling = ' '.repeat(Math.max(0, width - columnsOf(shown)))
  return align === 'left' ? shown + filling : filling + shown
}

/** At most `width` columns of a text. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text
  let kept = ''
  let columns = 0
  for (const character of text) {
    const wide = isWide(character) ? 2 : 1
    if (columns + wide > width - 1) break
    kept += character
    columns += wide
  }
  return width < 1 ? '' : `${kept}…`
}

function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += isWide(character) ? 2 : 1
  return columns
}

/** East Asian and emoji characters take two columns. */
function isWide(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      (code >= 0x20000 && code <= 0x3fffd))
  )
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of `width` columns, filled to `share`. */
export function bar(share: number, width: number): string {
  const filled = Math.min(Math.max(Number.isFinite(share) ? share : 0, 0), 1) * width
  const whole = Math.floor(filled)
  const part = whole < width ? (eighths[Math.floor((filled - whole) * 8)] ?? '') : ''
  return '█'.repeat(whole) + part + '·'.repeat(width - whole - part.length)
}

/** `1,204`, `12.5`, `0.25`, `1.2 M`. */
export function figure(value: number): string {
  if (value >= 1e9) return `${round(value / 1e9, 1)} G`
  if (value >= 1e6) return `${round(value / 1e6, 1)} M`
  return round(value, value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

export function bytes(value: number): string {
  if (value >= 1024 ** 3) return `${round(value / 1024 ** 3, 1)} GB`
  if (value >= 1024 ** 2) return `${round(value / 1024 ** 2, 1)} MB`
  return value >= 1024 ? `${round(value / 1024, 1)} KB` : `${value} B`
}

export function milliseconds(value: number): string {
  if (value >= 1000) return `${round(value / 1000, 1)} s`
  return value >= 1 ? `${round(value, 1)} ms` : `${round(value * 1000, 0)} µs`
}

export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`
}

function round(value: number, digits: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}
