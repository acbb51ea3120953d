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
