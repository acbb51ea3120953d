/** Names that the library keeps for itself, or that are no names of anything. */
const reserved: ReadonlySet<string> = new Set(['transact', 'batchWrite', '__proto__', 'constructor', 'prototype'])

/** What is wrong with a new name, if anything is. */
export function nameProblem(name: string, taken: readonly string[], isConstant = false): string | undefined {
  if (name.trim() === '') return 'Enter a name.'
  if (taken.includes(name)) return `${name} already exists.`
  if (reserved.has(name)) return `${name} is reserved.`
  const form = isConstant ? /^[A-Za-z][A-Za-z0-9_]*$/ : /^[A-Za-z_][\w.-]*$/
  return form.test(name) ? undefined : 'Use letters, digits and underscores, and begin with a letter.'
}

/** A word, or with a number where it is taken. */
export function freeName(word: string, taken: readonly string[]): string {
  if (!taken.includes(word)) return word
  for (let count = 2; ; count++) if (!taken.includes(`${word}${String(count)}`)) return `${word}${String(count)}`
}
