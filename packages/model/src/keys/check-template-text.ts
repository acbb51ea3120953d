import { ModelError } from '../errors.ts'
import { parseFormat, parseTemplate } from './parse-template.ts'

/** That a text is a template: its braces are in pairs, and its placeholders have names and known formats. */
export function checkTemplateText(text: string): void {
  const parts = parseTemplate(text)
  if (parts.length === 0) throw invalid(text, 'is empty')
  for (const part of parts) {
    if (part.kind === 'hole') continue
    if (part.text.includes('}')) throw invalid(text, 'has a } without a {')
    if (part.text.includes('{')) throw invalid(text, 'has a { without a }')
  }
  for (const [, hole = ''] of text.matchAll(/\{([^{}]*)\}/g)) checkHole(text, hole)
}

function checkHole(text: string, hole: string): void {
  const [attribute, ...words] = hole.split(':')
  if (attribute === '') throw invalid(text, `has a placeholder without a name, {${hole}}`)
  const format = parseFormat(words)
  if (format === undefined) {
    throw invalid(
      text,
      `has an unknown format, {${hole}}. The formats are {n:05}, {n:09.2}, {n:+05} and {n:05:desc} for numbers, {date:day}, ` +
        '{date:desc} and {date:day:desc} for dates, and {text:lower}, {text:upper}, {text:hash} and {text:bucket:16}',
    )
  }
  if (format.kind !== 'padded') return
  const { decimals, isSigned } = format
  const width = isSigned === true ? format.width - 1 : format.width
  const digits = decimals === 0 ? width : width - 1
  // Beyond 15 digits a JavaScript number is not exact, so neither would be its padding.
  if (width < 1 || width > 16 || (decimals > 0 && decimals > width - 2) || digits > 15) {
    throw invalid(text, `has too wide a padding, {${hole}}. At most 15 digits are exact`)
  }
}

function invalid(text: string, fault: string): ModelError {
  return new ModelError('INVALID_TEMPLATE', `The key template '${text}' ${fault}.`)
}
