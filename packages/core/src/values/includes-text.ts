/** Up to this length the runtime's own search takes linear time. For longer texts it only considers the last 250
 *  characters of what is sought to decide how far to skip, so a text that nearly repeats itself is compared almost
 *  completely at almost every position. */
const longestForRuntime = 250

/** Whether a text is part of another, in time linear in both, whatever they contain. */
export function includesText(text: string, sought: string): boolean {
  if (sought.length <= longestForRuntime || sought.length >= text.length) return text.includes(sought)
  return includesLong(text, sought)
}

/** Knuth, Morris and Pratt's search. */
function includesLong(text: string, sought: string): boolean {
  const borders = bordersOf(sought)
  let matched = 0
  for (let position = 0; position < text.length; position++) {
    const unit = text.charCodeAt(position)
    while (matched > 0 && sought.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (sought.charCodeAt(matched) === unit) matched++
    if (matched === sought.length) return true
  }
  return false
}

/** For each prefix of a text, the length of the longest proper prefix of it that also ends it. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let position = 1; position < text.length; position++) {
    const unit = text.charCodeAt(position)
    while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (text.charCodeAt(length) === unit) length++
    borders[position] = length
  }
  return borders
}
