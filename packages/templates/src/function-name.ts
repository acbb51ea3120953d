/** The name of a function: of its ARN, and without the alias or the version that may follow it, which are not here. */
export function functionNameOf(text: string): string {
  const [, afterKind = text] = /:function:(.*)$/.exec(text) ?? []
  return afterKind.split(':', 1)[0] ?? ''
}
