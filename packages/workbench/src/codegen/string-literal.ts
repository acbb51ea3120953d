/** A string of JavaScript, in the quotes that need the fewest escapes. */
export function jsString(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  const isSingle = !text.includes("'") || text.includes('"')
  const quoted = isSingle
    ? `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`
    : `"${inner}"`
  return escapeInvisible(quoted)
}

/** A string in double quotes that Python, Java and Go all read as the same text. What JSON escapes they escape alike, but for the
 *  half of a surrogate pair, which is no character: nothing can be stored that has one. */
export function quotedString(text: string): string {
  return escapeInvisible(JSON.stringify(text.toWellFormed()))
}

/** A word for a shell of Unix, whatever is in it. */
export function shellWord(text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', '')
  return /^[\w.:/=@%+-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", String.raw`'\''`)}'`
}

/** Characters that cannot be seen, or make what can be seen another order: code should show what it does. */
const invisible =
  /[\u007f-\u00a0\u00ad\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]/g

function escapeInvisible(literal: string): string {
  return literal.replaceAll(
    invisible,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu

/** What stands in double quotes in PHP, Ruby and Rust, whose escapes have braces; `own` are the characters that mean something there. */
export function bracedEscapes(text: string, own: RegExp): string {
  return text
    .toWellFormed()
    .replaceAll(own, (character) => `\\${character}`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** In single quotes only `\` and `'` mean something to PHP and Ruby; what cannot be seen is escaped in double quotes. */
export function singleOrDouble(text: string, own: RegExp): string {
  const clean = text.toWellFormed()
  if (clean.search(hidden) >= 0) return `"${bracedEscapes(clean, own)}"`
  return `'${clean.replaceAll(/[\\']/g, (character) => `\\${character}`)}'`
}
