import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Answers } from './ask.ts'

/** What one place answered on one day. */
export interface Recording {
  /** `aws eu-west-1`, or the address of another database. */
  readonly from: string
  /** Such as `2026-11-16`. */
  readonly recordedOn: string
  readonly answers: Answers
  /** Why hashrange answers some of the questions otherwise, by question. */
  readonly differences: Readonly<Record<string, string>>
}

// This file is built to test/dist/behaviour.
const folder = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../behaviour/recordings/' : 'recordings/', import.meta.url),
)

export function readRecordings(): readonly { readonly file: string; readonly recording: Recording }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, recording: JSON.parse(readFileSync(`${folder}${file}`, 'utf8')) as Recording }))
}

export function writeRecording(recording: Recording): string {
  const place = recording.from.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')
  const file = `${folder}${place}-${recording.recordedOn}.json`
  writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`)
  return file
}

/** The questions that two places answer differently. */
export function differencesOf(one: Answers, other: Answers): readonly string[] {
  const asked = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...asked].filter((question) => textOf(one[question]) !== textOf(other[question]))
}

/** Answers are the same whatever order their members come in. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  )
}
