/** An address as people may see it: without user, password and parameters. What may be part of a password is not
 *  shown: if an unescaped @, / or # makes it unclear where one ends, only the beginning is left. A word that is not
 *  an address stays as it is. */
export function withoutSecrets(text: string): string {
  if (!/@|:\/\//.test(text)) return text
  const [, scheme = '', place] = address.exec(text) ?? []
  if (place !== undefined) return scheme + place
  return `${/^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0] ?? ''}…`
}

const host = String.raw`(?:\[[\da-f:.]*\]|[^\s:@/?#[\],]*)(?::\d+)?`
const address = new RegExp(
  `^([a-z][a-z\\d+.-]*://)?(?:[^@/?#]*@)?(${host}(?:,${host})*(?:/[^@?#]*)?)(?:[?#][^@]*)?$`,
  'i',
)
