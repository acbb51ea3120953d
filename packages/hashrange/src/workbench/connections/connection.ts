import type { ConnectionColour, ConnectionInfo } from '@hashrange/workbench/answers'
import { connectionColours, writingChoices, type DeclaredConnection } from '../../config/declared-connection.ts'
import { profileNamed } from '../../aws-profiles.ts'
import { isRegion } from '../read-scope.ts'

/** A database that the page may use through this server. */
export interface Connection extends DeclaredConnection {
  readonly name: string
  readonly kind: ConnectionInfo['kind']
  readonly region: string
  readonly colour: ConnectionColour
  readonly writing: ConnectionInfo['writing']
}

/** What somebody has declared cannot be a connection. The message says what to do. */
export class ConnectionMistake extends Error {}

/** Checks what a flag, the configuration file or the page declares. */
export function readConnection(name: string, declared: unknown, position = 0): Connection {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/.test(name)) {
    throw new ConnectionMistake(
      `"${name.slice(0, 60)}" cannot be the name of a connection. Use up to 40 letters, digits, dots, dashes and underscores, such as staging.`,
    )
  }
  if (typeof declared !== 'object' || declared === null) {
    throw new ConnectionMistake(`The connection ${name} needs an endpoint or a profile.`)
  }
  const given = declared as Readonly<Record<string, unknown>>
  const text = (member: string): string | undefined => {
    const value = given[member]
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string' && value.length <= 300) return value
    throw new ConnectionMistake(`The connection ${name}: ${member} must be a text.`)
  }
  const endpoint = text('endpoint')
  const profile = text('profile')
  const accessKeyId = text('accessKeyId')
  const url = endpoint === undefined ? undefined : readEndpoint(name, endpoint)
  if (profile !== undefined && accessKeyId !== undefined) {
    throw new ConnectionMistake(`The connection ${name}: use a profile or an access key, not both.`)
  }
  if (accessKeyId !== undefined && !/^[\w./+=@-]{1,128}$/.test(accessKeyId)) {
    throw new ConnectionMistake(`The connection ${name}: "${accessKeyId.slice(0, 40)}" is not an access key ID.`)
  }
  const region = text('region') ?? (url === undefined || profile !== undefined ? regionOf(profile) : 'us-east-1')
  if (!isRegion(region)) {
    throw new ConnectionMistake(`The connection ${name}: the region must be a name such as us-east-1.`)
  }
  const kind = url === undefined || isAws(url.hostname) ? 'aws' : 'server'
  return {
    name,
    kind,
    ...(url !== undefined && { endpoint: url.origin }),
    ...(profile !== undefined && { profile }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    region,
    colour: colourOf(name, text('colour') ?? text('color'), kind, position),
    writing: writingOf(name, text('writing'), kind),
  }
}

/** `http://…`, `aws`, `aws:PROFILE` or `aws:PROFILE@REGION`: a place in one word, as flags have it. */
export function connectionAt(place: string): DeclaredConnection {
  const aws = /^aws(?::([^@]+))?(?:@([A-Za-z0-9_-]+))?$/.exec(place)
  return aws === null ? { endpoint: place } : { profile: aws[1], region: aws[2] }
}

/** What the page is told. */
export function describeConnection(connection: Connection, isDeclared: boolean): ConnectionInfo {
  const { name, kind, colour, region, writing, profile, accessKeyId, endpoint } = connection
  const whose = profile === undefined ? accessKeyId && `key ${accessKeyId}` : `profile ${profile}`
  const place = [endpoint ?? 'AWS', whose].filter((part) => part !== undefined && part !== '').join(' · ')
  return {
    name,
    kind,
    colour,
    region,
    writing,
    place,
    isDeclared,
    ...(endpoint !== undefined && { endpoint }),
    ...(profile === undefined && kind === 'server' && { accessKeyId: accessKeyId ?? 'local' }),
  }
}

/** A server has one address, and no credentials in it. What answers at link-local addresses hands out credentials of the
 *  machine, and no database is there. */
function readEndpoint(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new ConnectionMistake(
      `The connection ${name} needs the address of a server, such as http://127.0.0.1:8000, or aws:PROFILE.`,
    )
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new ConnectionMistake(
      `The connection ${name}: the address of a server is only http or https, its name and its port. Credentials belong in an AWS profile.`,
    )
  }
  if (/^169\.254\.|^\[(?:fe[89ab]|fd00:ec2:|::ffff:a9fe:)|^metadata\./i.test(url.hostname)) {
    throw new ConnectionMistake(`The connection ${name}: ${url.hostname} is not the address of a database.`)
  }
  return url
}

function isAws(hostname: string): boolean {
  return /(?:^|\.)(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(hostname)
}

function regionOf(profile: string | undefined): string {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env
  const region = profileNamed(profile ?? process.env['AWS_PROFILE'] ?? 'default')?.region
  return (profile === undefined ? AWS_REGION || AWS_DEFAULT_REGION || region : region) ?? 'us-east-1'
}

function colourOf(
  name: string,
  asked: string | undefined,
  kind: Connection['kind'],
  position: number,
): ConnectionColour {
  const found = connectionColours.find((colour) => colour === asked)
  if (found !== undefined) return found
  if (asked !== undefined) {
    throw new ConnectionMistake(
      `The connection ${name}: there is no colour "${asked.slice(0, 40)}". Choose one of ${connectionColours.join(', ')}.`,
    )
  }
  return kind === 'aws' ? 'orange' : (otherColours[position % otherColours.length] ?? 'teal')
}

const otherColours = ['teal', 'purple', 'pink', 'green', 'blue'] as const

function writingOf(name: string, asked: string | undefined, kind: Connection['kind']): Connection['writing'] {
  if (asked === undefined) return kind === 'aws' ? 'on-request' : 'allowed'
  const found = writingChoices.find((choice) => choice === asked)
  if (found !== undefined) return found
  throw new ConnectionMistake(`The connection ${name}: writing must be allowed, on-request or never.`)
}
