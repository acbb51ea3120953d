import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AwsProfile } from '@hashrange/workbench/answers'

interface Profile extends AwsProfile {
  /** Where it says that DynamoDB is. */
  readonly endpoint?: string | undefined
}

/** The profiles of the AWS configuration files. Only names and settings are read from them: the secrets beside them are for
 *  the SDK. */
export function awsProfiles(): readonly Profile[] {
  const config = sectionsOf(process.env['AWS_CONFIG_FILE'] ?? join(homedir(), '.aws', 'config'))
  const credentials = sectionsOf(
    process.env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(homedir(), '.aws', 'credentials'),
  )
  const found = new Map<string, Map<string, string>>()
  for (const [title, values] of config) {
    const name = title === 'default' ? title : /^profile\s+(.+)$/.exec(title)?.[1]?.trim()
    if (name !== undefined) found.set(name, values)
  }
  for (const [name, values] of credentials) found.set(name, new Map([...values, ...(found.get(name) ?? [])]))
  return [...found].map(([name, values]) => ({
    name,
    region: values.get('region'),
    how: howOf(values),
    endpoint:
      config.get(`services ${values.get('services') ?? ''}`)?.get('dynamodb.endpoint_url') ??
      values.get('endpoint_url'),
  }))
}

export function profileNamed(name: string): Profile | undefined {
  return awsProfiles().find((profile) => profile.name === name)
}

function howOf(values: ReadonlyMap<string, string>): AwsProfile['how'] {
  if (values.has('role_arn')) return 'role'
  if (values.has('sso_session') || values.has('sso_start_url')) return 'sso'
  return values.has('credential_process') ? 'process' : 'keys'
}

/** The sections of a file with their settings. Settings below another one, which are indented, have its name in front:
 *  `dynamodb.endpoint_url`. A file that cannot be read has none. */
function sectionsOf(path: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>()
  let current: Map<string, string> | undefined
  let above = ''
  for (const line of fileTextOrEmpty(path).split(/\r?\n/)) {
    const title = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim().replace(/\s+/, ' ')
    if (title !== undefined) {
      current = sections.get(title) ?? new Map<string, string>()
      sections.set(title, current)
      continue
    }
    const [, indent = '', name, value = ''] = /^(\s*)([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || current === undefined) continue
    if (indent === '') above = name
    current.set(indent === '' ? name : `${above}.${name}`, value)
  }
  return sections
}

function fileTextOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
