/** The word that was probably meant; undefined if none is close. */
export function closestWord(typed: string, words: readonly string[]): string | undefined {
  let closest: string | undefined
  // A short word that is half wrong is a different word.
  let fewest = typed.length > 4 ? 3 : Math.min(2, typed.length)
  for (const word of words) {
    const edits = typed.length > 1 && word.startsWith(typed) ? 1 : editsBetween(typed, word, fewest)
    if (edits >= fewest) continue
    fewest = edits
    closest = word
  }
  return closest
}

/** How many letters must be added, removed, replaced or swapped with their neighbour; `limit` if that many or more. */
function editsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(beforeLast, j - 2) + 1 : limit
      row.push(Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1, swapped))
    }
    beforeLast = last
    last = row
  }
  return Math.min(limit, at(last, b.length))
}

function at(row: readonly number[], position: number): number {
  return row[position] ?? Infinity
}
