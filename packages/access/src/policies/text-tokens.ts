/** The parts of a text in a policy: what is literal, wildcards, and variables. */
export type TextToken =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'many' }
  | { readonly kind: 'one' }
  | { readonly kind: 'variable'; readonly key: string; readonly whenMissing: string | undefined }

export interface TextOptions {
  /** Variables have a meaning from version 2012-10-17 on; before it, they are text. */
  readonly variables: boolean
  readonly wildcards: boolean
}

/** Takes a text apart. `${*}`, `${?}` and `${$}` are the characters themselves; `${key, 'text'}` is the text where the request has no
 *  such key. */
export function textTokens(source: string, { variables, wildcards }: TextOptions): readonly TextToken[] {
  const tokens: TextToken[] = []
  let literal = ''
  const push = (token: TextToken): void => {
    if (literal !== '') tokens.push({ kind: 'literal', text: literal })
    literal = ''
    tokens.push(token)
  }
  // Beyond it nothing can be a variable: a text of nothing but beginnings must not be searched again and again.
  const lastClose = variables ? source.lastIndexOf('}') : -1
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    const isVariable = character === '$' && source[at + 1] === '{' && at < lastClose
    const close = isVariable ? source.indexOf('}', at) : -1
    if (close >= 0) {
      const inside = source.slice(at + 2, close)
      if (inside === '*' || inside === '?' || inside === '$') literal += inside
      else push(variableOf(inside))
      at = close
    } else if (wildcards && character === '*') {
      // Many in a row mean no more than one.
      if (literal !== '' || tokens.at(-1)?.kind !== 'many') push({ kind: 'many' })
    } else if (wildcards && character === '?') push({ kind: 'one' })
    else literal += character
  }
  if (literal !== '' || tokens.length === 0) tokens.push({ kind: 'literal', text: literal })
  return tokens
}

function variableOf(inside: string): TextToken {
  const parts = /^([^,]*),\s*'([^']*)'\s*$/.exec(inside)
  return { kind: 'variable', key: (parts?.[1] ?? inside).trim().toLowerCase(), whenMissing: parts?.[2] }
}
