import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { good, note, problem, type Finding } from './finding.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the SDKs and the AWS CLI read before they send a request. */
export function checkClient(environment: Environment, endpoint: string): readonly Finding[] {
  return [
    checkRegion(environment),
    checkCredentials(environment),
    checkEndpoint(environment, endpoint),
    ...checkProxy(environment, endpoint),
  ]
}

export function regionOf(environment: Environment): string | undefined {
  return environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || profileSetting(environment, 'region')
}

function checkRegion(environment: Environment): Finding {
  const region = regionOf(environment)
  if (region !== undefined) {
    // What a typing mistake looks like: us-east1, eu-west-1a. Tools for local databases use localhost and local.
    return /^[a-z]{2,}(-[a-z]+)+-\d+$|^local(host)?$/.test(region)
      ? good(`The region is ${region}.`)
      : note(
          `The region is ${region}, which is not the name of a region of AWS.`,
          'Each region has its own tables here, whatever it is called. Clients that call AWS need one such as us-east-1.',
        )
  }
  return problem(
    'No region is set, so clients send nothing unless your code gives them one.',
    'Run: export AWS_REGION=us-east-1',
  )
}

function checkCredentials(environment: Environment): Finding {
  const key = environment['AWS_ACCESS_KEY_ID']
  if (key !== undefined && key !== '') {
    if ((environment['AWS_SECRET_ACCESS_KEY'] ?? '') === '')
      return problem(
        'AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not.',
        'Run: export AWS_SECRET_ACCESS_KEY=local',
      )
    return good(`The access key is ${shownKey(key)}, from AWS_ACCESS_KEY_ID.`)
  }
  const ofProfile = profileSetting(environment, 'aws_access_key_id')
  if (ofProfile !== undefined)
    return good(`The access key is ${shownKey(ofProfile)}, of the profile ${profileOf(environment)}.`)
  if (profileSetting(environment, 'sso_session') ?? profileSetting(environment, 'role_arn'))
    return good(`The credentials are those of the profile ${profileOf(environment)}.`)
  return problem(
    'There are no credentials, so clients send nothing unless your code gives them some.',
    'A server without --auth takes any: export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local',
  )
}

function checkEndpoint(environment: Environment, endpoint: string): Finding {
  const named = environment['AWS_ENDPOINT_URL_DYNAMODB'] || environment['AWS_ENDPOINT_URL']
  if (environment['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true' && named !== undefined) {
    return problem(
      'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true, so clients call AWS.',
      'Run: unset AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
    )
  }
  if (named !== undefined) return good(`Clients call ${named}.`)
  return note(
    'Clients call AWS, unless your code gives them an endpoint.',
    `To send all of them here: export AWS_ENDPOINT_URL_DYNAMODB=${endpoint}`,
  )
}

/** The AWS CLI and boto3 send requests for this machine to a proxy too. The SDK for JavaScript does not. */
function checkProxy(environment: Environment, endpoint: string): readonly Finding[] {
  if (!URL.canParse(endpoint)) return []
  const { hostname, protocol } = new URL(endpoint)
  if (!/^(127\.[\d.]+|localhost|\[::1\])$/.test(hostname)) return []
  const scheme = protocol.slice(0, -1)
  const name = [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`].find((one) => (environment[one] ?? '') !== '')
  if (name === undefined) return []
  const spared = (environment['no_proxy'] ?? environment['NO_PROXY'] ?? '').split(',').map((one) => one.trim())
  if (spared.includes('*') || spared.includes(hostname.replaceAll(/[[\]]/g, ''))) return []
  return [
    problem(
      `${name} is set, so the AWS CLI and boto3 do not reach ${hostname}: they send its requests to the proxy.`,
      `Run: export NO_PROXY=${[...spared.filter((one) => one !== ''), '127.0.0.1', 'localhost'].join(',')}`,
    ),
  ]
}

/** Long keys are real ones: enough to recognise it. */
function shownKey(key: string): string {
  return key.length <= 12 ? key : `${key.slice(0, 4)}…${key.slice(-4)}`
}

function profileOf(environment: Environment): string {
  return environment['AWS_PROFILE'] || 'default'
}

/** A setting of the profile, in the files that the AWS CLI writes. */
function profileSetting(environment: Environment, name: string): string | undefined {
  const profile = profileOf(environment)
  const home = join(homedir(), '.aws')
  const credentials = environment['AWS_SHARED_CREDENTIALS_FILE'] || join(home, 'credentials')
  const config = environment['AWS_CONFIG_FILE'] || join(home, 'config')
  return (
    iniSetting(credentials, [profile], name) ??
    iniSetting(config, profile === 'default' ? ['default', 'profile default'] : [`profile ${profile}`], name)
  )
}

function iniSetting(file: string, sections: readonly string[], name: string): string | undefined {
  let isInside = false
  for (const line of linesOf(file)) {
    const section = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]
    if (section !== undefined) isInside = sections.includes(section.replaceAll(/\s+/g, ' '))
    const [key, ...rest] = line.split('=')
    if (isInside && key?.trim() === name && rest.length > 0) return rest.join('=').trim()
  }
  return undefined
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
