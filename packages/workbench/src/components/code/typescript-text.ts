import { StreamLanguage, type StringStream } from '@codemirror/language'

interface State {
  /** Within a comment or a template that goes on in the next line. */
  inside: 'comment' | 'template' | undefined
}

const keywords =
  /^(?:as|async|await|class|const|default|else|export|extends|false|for|from|function|if|import|in|interface|let|new|null|of|readonly|return|satisfies|true|type|typeof|undefined|var|void|while)$/

/** TypeScript as far as it needs colours: comments, texts, numbers, words. A whole grammar would be heavier than all else in
 *  the editor. */
export const typescriptText = StreamLanguage.define<State>({
  startState: () => ({ inside: undefined }),
  token: (stream, state) => {
    if (state.inside === 'comment') return comment(stream, state)
    if (state.inside === 'template') return template(stream, state)
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) return comment(stream, state)
    if (stream.match('`')) return template(stream, state)
    if (stream.match(/^(?:'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)/)) return 'string'
    if (stream.match(/^\d[\d_.]*(?:e\d+)?/i)) return 'number'
    const word = stream.match(/^[\p{L}_$][\p{L}\p{N}_$]*/u)
    if (Array.isArray(word)) {
      if (keywords.test(word[0] ?? '')) return 'keyword'
      return stream.match(/^\s*:/, false) ? 'propertyName' : 'variableName'
    }
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', "'", '"', '`'] } },
})

function comment(stream: StringStream, state: State): string {
  const isOver = stream.match(/^.*?\*\//) !== null
  if (!isOver) stream.skipToEnd()
  state.inside = isOver ? undefined : 'comment'
  return 'comment'
}

function template(stream: StringStream, state: State): string {
  const isOver = stream.match(/^(?:[^`\\]|\\.)*`/) !== null
  if (!isOver) stream.skipToEnd()
  state.inside = isOver ? undefined : 'template'
  return 'string'
}
