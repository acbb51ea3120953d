import { awsCli } from './aws-cli.ts'
import type { CodeTarget } from './code-target.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { javascript, typescript } from './javascript.ts'
import { python } from './python.ts'
import { csharp } from './csharp.ts'
import { curl } from './curl.ts'
import { kotlin } from './kotlin.ts'
import { php } from './php.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust.ts'
import type { CodeRequest } from './service-request.ts'

export const codeLanguages = [
  { id: 'javascript', title: 'JavaScript', detail: 'AWS SDK v3, document client' },
  { id: 'typescript', title: 'TypeScript', detail: 'AWS SDK v3, document client' },
  { id: 'python', title: 'Python', detail: 'boto3' },
  { id: 'java', title: 'Java', detail: 'AWS SDK v2' },
  { id: 'kotlin', title: 'Kotlin', detail: 'AWS SDK' },
  { id: 'go', title: 'Go', detail: 'AWS SDK v2' },
  { id: 'rust', title: 'Rust', detail: 'AWS SDK' },
  { id: 'csharp', title: 'C#', detail: 'AWS SDK for .NET' },
  { id: 'php', title: 'PHP', detail: 'AWS SDK v3' },
  { id: 'ruby', title: 'Ruby', detail: 'AWS SDK v3' },
  { id: 'cli', title: 'AWS CLI', detail: 'for Unix shells' },
  { id: 'curl', title: 'curl', detail: '7.75 or later' },
] as const

export type CodeLanguage = (typeof codeLanguages)[number]['id']

/** Code that sends a request, ready to be pasted. Several requests are the shards of one. */
export function generateCode(language: CodeLanguage, requests: readonly CodeRequest[], target: CodeTarget): string {
  return generators[language](requests, target)
}

const generators = {
  javascript,
  typescript,
  python,
  java,
  kotlin,
  go,
  rust,
  csharp,
  php,
  ruby,
  cli: awsCli,
  curl,
} as const
