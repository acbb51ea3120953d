/** Throws if an option that must be a list of strings is anything else. */
export function checkTexts(name: string, value: unknown, isRight: (text: string) => boolean, what: string): void {
  if (value === undefined) return
  if (Array.isArray(value) && value.every((text) => typeof text === 'string' && isRight(text))) return
  throw new TypeError(`${name} must be a list of ${what}, not ${JSON.stringify(value)}.`)
}
