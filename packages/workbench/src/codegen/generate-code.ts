import { awsCli } from './aws-cli.ts'
import type { CodeTarget } from './code-target.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript } from './javascript.ts'
import { python } from './python.ts'
import type { ServiceRequest } from './service-request.ts'

export const codeLanguages = [
  { id: 'javascript', title: 'JavaScript', detail: 'AWS SDK v3, document client' },
  { id: 'python', title: 'Python', detail: 'boto3' },
  { id: 'cli', title: 'AWS CLI', detail: 'for Unix shells' },
  { id: 'java', title: 'Java', detail: 'AWS SDK v2' },
  { id: 'go', title: 'Go', detail: 'AWS SDK v2' },
] as const

export type CodeLanguage = (typeof codeLanguages)[number]['id']

/** Code that sends a request, ready to be pasted. Several requests are the shards of one. */
export function generateCode(
  language: CodeLanguage,
  requests: readonly ServiceRequest[],
  target: CodeTarget,
): string {
  return generators[language](requests, target)
}

const generators = { javascript, python, cli: awsCli, java, go } as const
