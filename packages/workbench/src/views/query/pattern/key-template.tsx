import type { KeyTemplateDescription } from '@hashrange/model'
import type { ParameterTexts } from './pattern-form.ts'

/** A key as the model writes it, with what was typed in its holes. */
export function KeyTemplate({
  template,
  texts,
}: {
  readonly template: KeyTemplateDescription
  readonly texts: ParameterTexts
}) {
  return (
    <span className="key-template">
      {template.parts.map((part, position) => {
        if (part.kind === 'literal') return <span key={position}>{part.text}</span>
        const text = texts[part.attribute] ?? ''
        return (
          <span key={position} className={`key-hole ${text === '' ? 'is-open' : ''}`} title={part.attribute}>
            {text === '' ? `{${part.attribute}}` : text.slice(0, 60)}
          </span>
        )
      })}
    </span>
  )
}
