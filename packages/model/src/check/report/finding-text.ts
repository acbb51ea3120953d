import { counted } from '../../counted.ts'
import type { Finding, FindingPlace, Severity } from '../finding.ts'

/** How a file's path is shown: relative to the working directory. */
export type ShowPath = (file: string) => string

export function placeText({ location }: FindingPlace, showPath: ShowPath): string {
  return location === undefined ? '' : `${showPath(location.file)}:${location.line}:${location.column}`
}

/** `2 errors, 1 warning`; `nothing found` if there is nothing. */
export function countsText(findings: readonly Finding[]): string {
  const counts = (['error', 'warning', 'note'] satisfies Severity[]).flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [counted(count, severity)]
  })
  return counts.length === 0 ? 'no findings' : counts.join(', ')
}
