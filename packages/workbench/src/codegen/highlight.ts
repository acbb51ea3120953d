export interface CodeToken {
  readonly kind: 'plain' | 'string' | 'comment' | 'keyword' | 'number'
  readonly text: string
}

const keywords: Readonly<Record<string, string>> = {
  javascript: 'import|from|const|let|await|for|of|new|do|while|true|false|null|undefined',
  python: 'import|from|while|for|in|is|not|None|True|False|if|else|def|return|print',
  typescript: 'import|from|const|let|await|for|of|new|do|while|type|true|false|null|undefined|string',
  cli: 'aws|for|in|do|done',
  curl: 'curl|for|in|do|done',
  kotlin: 'import|suspend|fun|val|for|in|true|false|null',
  rust: 'use|async|fn|let|mut|while|for|in|if|Some|Ok|true|false|None|await',
  csharp: 'using|var|new|await|foreach|in|true|false|null',
  php: 'require|use|new|foreach|as|true|false|null',
  ruby: 'require|do|end|each|true|false|nil',
  java: 'import|public|class|static|void|try|for|new|var|do|while|null|true|false|String',
  go: 'package|import|func|if|for|range|nil|return|break|true|false|map|string',
}

const hashComments: ReadonlySet<string> = new Set(['python', 'cli', 'curl', 'ruby'])

/** Code in pieces that are shown in one colour each: enough to read what is generated here. */
export function highlight(code: string, language: string): CodeToken[] {
  const comment = hashComments.has(language) ? '#[^\\n]*' : '\\/\\/[^\\n]*'
  const single = language === 'cli' || language === 'curl' ? "'[^']*'" : "'(?:[^'\\\\\\n]|\\\\.)*'"
  const pattern = new RegExp(
    `(?<comment>(?<=^|\\s)${comment})|(?<string>"(?:[^"\\\\\\n]|\\\\.)*"|${single})|(?<keyword>\\b(?:${keywords[language] ?? keywords['javascript'] ?? ''})\\b)|(?<number>\\b\\d[\\d.]*\\b)`,
    'gm',
  )
  const tokens: CodeToken[] = []
  let at = 0
  for (const match of code.matchAll(pattern)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: code.slice(at, match.index) })
    const { comment: isComment, string, keyword } = match.groups ?? {}
    const kind =
      isComment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : keyword !== undefined
            ? 'keyword'
            : 'number'
    tokens.push({ kind, text: match[0] })
    at = match.index + match[0].length
  }
  if (at < code.length) tokens.push({ kind: 'plain', text: code.slice(at) })
  return tokens
}
