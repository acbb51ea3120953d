import type { ContextValues } from './context-values.ts'
import { anyOne, matchesGlob, type Glob } from './glob.ts'
import { textTokens, type TextOptions, type TextToken } from './text-tokens.ts'

/** Whether a text of a request is what a text of a policy says. */
export type MatchText = (text: string, context: ContextValues) => boolean

/** A text of a policy, made ready. A variable that the request has no single value for matches nothing; what a variable stands
 *  for is taken literally, wildcards included. */
export function compileText(source: string, options: TextOptions): MatchText {
  const tokens = textTokens(source, options)
  if (tokens.some(({ kind }) => kind === 'variable')) return compileTemplate(tokens)
  const glob = globOf(tokens, undefined) ?? ['']
  const [first = '', second] = glob
  if (first.includes(anyOne) || glob.length > 2) return (text) => matchesGlob(glob, text)
  if (second === undefined) return (text) => text === first
  if (second !== '') return (text) => matchesGlob(glob, text)
  return first === '' ? () => true : (text) => text.startsWith(first)
}

/** A text whose variables are put in; nothing if one of them has no value. */
export function resolveText(tokens: readonly TextToken[], context: ContextValues): string | undefined {
  let text = ''
  for (const token of tokens) {
    const part = token.kind === 'variable' ? resolveVariable(token, context) : literalOf(token)
    if (part === undefined) return undefined
    text += part
  }
  return text
}

function compileTemplate(tokens: readonly TextToken[]): MatchText {
  if (tokens.every(({ kind }) => kind === 'literal' || kind === 'variable')) {
    return (text, context) => text === resolveText(tokens, context)
  }
  return (text, context) => {
    const glob = globOf(tokens, context)
    return glob !== undefined && matchesGlob(glob, text)
  }
}

function globOf(tokens: readonly TextToken[], context: ContextValues | undefined): Glob | undefined {
  const pieces: string[] = []
  let piece = ''
  for (const token of tokens) {
    if (token.kind === 'many') {
      pieces.push(piece)
      piece = ''
    } else if (token.kind === 'variable') {
      const value = context && resolveVariable(token, context)
      if (value === undefined) return undefined
      piece += value
    } else piece += token.kind === 'one' ? anyOne : token.text
  }
  pieces.push(piece)
  return pieces
}

function resolveVariable(
  { key, whenMissing }: Extract<TextToken, { readonly kind: 'variable' }>,
  context: ContextValues,
): string | undefined {
  const value = context.get(key)
  if (value === undefined) return whenMissing
  return typeof value === 'string' && !value.includes(anyOne) ? value : undefined
}

function literalOf(token: Exclude<TextToken, { readonly kind: 'variable' }>): string {
  return token.kind === 'literal' ? token.text : token.kind === 'many' ? '*' : '?'
}
