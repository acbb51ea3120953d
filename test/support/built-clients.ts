import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { programThat } from './programs.ts'
import type { Requirement } from './requirement.ts'

/** Clients in languages that are compiled. Their SDKs are downloaded and built for a minute or more when this is done for the first time, and so it is done on request:
 *  `HASHRANGE_CLIENTS=all npm test`. */
const isAsked = process.env['HASHRANGE_CLIENTS'] === 'all'

export const needsGo = onRequest('Go', programThat('go', ['version'], ''))
export const needsJava = onRequest(
  'Java',
  both(programThat('javac', ['-version'], ''), programThat('mvn', ['-v'], '')),
)

function onRequest(language: string, programs: Requirement): Requirement {
  return {
    get met() {
      return isAsked && programs.met
    },
    reason: isAsked
      ? `${language} is not on the PATH (go, or javac and mvn).`
      : `The AWS SDK for ${language} is built on request. Set HASHRANGE_CLIENTS=all.`,
  }
}

function both(one: Requirement, other: Requirement): Requirement {
  return {
    get met() {
      return one.met && other.met
    },
    reason: '',
  }
}

/** Builds with the settings of whoever runs the tests: what they have downloaded before is used again. */
export async function build(program: string, words: readonly string[], folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd: folder, encoding: 'utf8' })
  return stdout
}

/** For what is built; it is gone after the suite. */
export function buildFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hashrange-client-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
