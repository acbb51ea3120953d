export interface Command {
  readonly operation: string | undefined
  readonly text: (flag: string) => string | undefined
  readonly has: (flag: string) => boolean
  /** A flag's value as JSON; undefined if it is none. */
  readonly json: (flag: string) => unknown
}

/** A command of the AWS CLI, taken apart as a shell would. */
export function readCommand(text: string): Command {
  const words = shellWords(text)
  const flags = new Map<string, string>()
  words.forEach((word, i) => {
    if (!word.startsWith('--')) return
    const next = words[i + 1]
    flags.set(word.slice(2), next === undefined || next.startsWith('--') ? '' : next)
  })
  const at = words.indexOf('dynamodb')
  return {
    operation: at === -1 ? undefined : words[at + 1],
    text: (flag) => flags.get(flag),
    has: (flag) => flags.has(flag),
    json: (flag) => parsed(flags.get(flag)),
  }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    // Python writes True and False, and so do some of these files.
    return JSON.parse(text.replaceAll(/:\s*True\b/g, ': true').replaceAll(/:\s*False\b/g, ': false'))
  } catch {
    return undefined
  }
}

function shellWords(text: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const letter = text.charAt(i)
    if (quote !== '') {
      if (letter === quote) quote = ''
      else if (letter === '\\' && quote === '"' && /["\\]/.test(text.charAt(i + 1)))
        word = (word ?? '') + text.charAt(++i)
      else word = (word ?? '') + letter
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (letter === '\\') word = (word ?? '') + text.charAt(++i)
    else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  if (word !== undefined) words.push(word)
  return words
}
