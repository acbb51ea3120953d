/** Text as a canonical request writes it: everything but letters, digits, `-`, `.`, `_` and `~` in upper-case `%XX`. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
