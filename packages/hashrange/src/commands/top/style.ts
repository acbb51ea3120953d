/** How text stands out on a terminal; unchanged if there are no colours. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
  inverse(text: string): string
  red(text: string): string
  yellow(text: string): string
  green(text: string): string
}

export const plainStyle: Style = {
  bold: (text) => text,
  dim: (text) => text,
  inverse: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
  green: (text) => text,
}

export const ansiStyle: Style = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  inverse: (text) => `\x1b[7m${text}\x1b[27m`,
  red: (text) => `\x1b[31m${text}\x1b[39m`,
  yellow: (text) => `\x1b[33m${text}\x1b[39m`,
  green: (text) => `\x1b[32m${text}\x1b[39m`,
}

/** https://no-color.org: if the variable is set, whatever its value, there are no colours. */
export function styleFor(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): Style {
  const noColour = environment['NO_COLOR'] !== undefined && environment['NO_COLOR'] !== ''
  return isTerminal && !noColour && environment['TERM'] !== 'dumb' ? ansiStyle : plainStyle
}
