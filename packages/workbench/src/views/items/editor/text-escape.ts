/** Whether a text box would change it: boxes make one kind of line end of all, and some characters cannot be
 *  seen, or make others look as if they stood elsewhere. */
export function needsEscapes(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return (
    /[\r\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0085\u2028-\u202e\u2066-\u2069\ufeff]/.test(text) ||
    !text.isWellFormed()
  )
}

/** Such text as one can type it: `\r`, `\n`, `\u0000`, `\\`. */
export function escapeText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(
    /[\\\u0000-\u001f\u007f\u0085\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (found) => {
      const short = shorts[found]
      return short ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
    },
  )
}

/** The text that such text stands for. A backslash that begins no escape is a backslash. */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\(?:([\\nrt])|u([0-9a-fA-F]{4}))/g, (_, letter: string | undefined, code: string) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (letters[letter] ?? letter),
  )
}

const shorts: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const letters: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r', t: '\t' }
