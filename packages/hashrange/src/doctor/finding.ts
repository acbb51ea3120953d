/** One thing that was looked at. `advice` says what to do, where there is something to do. */
export interface Finding {
  readonly kind: 'good' | 'note' | 'problem'
  readonly text: string
  readonly advice?: string | undefined
}

export function good(text: string): Finding {
  return { kind: 'good', text }
}

/** Nothing is wrong, but it may surprise. */
export function note(text: string, advice?: string): Finding {
  return { kind: 'note', text, advice }
}

export function problem(text: string, advice: string): Finding {
  return { kind: 'problem', text, advice }
}

const marks = { good: 'ok  ', note: 'note', problem: 'FAIL' }

export function findingText({ kind, text, advice }: Finding): string {
  return `  ${marks[kind]}  ${text}${advice === undefined ? '' : `\n        ${advice}`}`
}
