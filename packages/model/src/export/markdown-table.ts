/** A table of GitHub's Markdown; cells are Markdown already. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Code within a line. Inside a table a bar must be escaped even here. */
export function code(given: string): string {
  if (given === '') return ''
  const flat = oneLine(given).replaceAll('|', '\\|')
  return flat.includes('`') ? `\`\` ${flat} \`\`` : `\`${flat}\``
}

/** Text within a line that is not interpreted as Markdown or HTML. */
export function text(given: string): string {
  return oneLine(given).replaceAll(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`)
}

function oneLine(given: string): string {
  return given.replaceAll(/\s+/g, ' ').trim()
}
