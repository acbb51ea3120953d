import type { SigningCredentials } from '@hashrange/server'
import { withoutSecrets } from '../without-secrets.ts'

export const linkFlags = {
  region: { type: 'string' },
  replicate: { type: 'string', multiple: true },
  'replicate-ca': { type: 'string' },
} as const

interface Values {
  readonly region?: string | undefined
  readonly replicate?: readonly string[] | undefined
  readonly 'replicate-ca'?: string | undefined
}

export interface LinkSettings {
  /** The region that this server stands for. Only links need it: the region of a request is in its signature. */
  readonly region?: string | undefined
  /** The servers of other regions. */
  readonly links?: readonly DeclaredLink[] | undefined
  /** What requests to them are signed with, if they are closed. */
  readonly linkCredentials?: SigningCredentials | undefined
  /** The issuer of their certificates, if this machine does not know it. */
  readonly linkCa?: string | undefined
}

export interface DeclaredLink {
  readonly region: string
  readonly url: string
}

/** The flags about replicas on other servers, or what is wrong with them. `setting` reads the environment. */
export function readLinkFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): LinkSettings | { readonly mistake: string } {
  const typed = values.replicate ?? setting('HASHRANGE_REPLICATE')?.split(/[\s,]+/) ?? []
  const links: DeclaredLink[] = []
  for (const text of typed.filter((word) => word !== '')) {
    const at = text.indexOf('=')
    const link = { region: text.slice(0, Math.max(at, 0)), url: text.slice(at + 1) }
    const mistake = mistakeIn(link)
    if (mistake !== undefined) return { mistake }
    links.push(link)
  }
  const region = values.region ?? setting('HASHRANGE_REGION')
  const mistake = mistakeOfAll(region, links)
  if (mistake !== undefined) return { mistake }
  const accessKeyId = setting('HASHRANGE_REPLICATE_ACCESS_KEY_ID')
  const secretAccessKey = setting('HASHRANGE_REPLICATE_SECRET_ACCESS_KEY')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    return {
      mistake: 'Set both HASHRANGE_REPLICATE_ACCESS_KEY_ID and HASHRANGE_REPLICATE_SECRET_ACCESS_KEY, or neither.',
    }
  }
  const linkCa = values['replicate-ca'] ?? setting('HASHRANGE_REPLICATE_CA')
  return {
    ...(region !== undefined && { region }),
    ...(links.length > 0 && { links }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { linkCredentials: { accessKeyId, secretAccessKey } }),
    ...(linkCa !== undefined && { linkCa }),
  }
}

/** What is wrong with a link; undefined if nothing is. */
export function mistakeIn({ region, url }: DeclaredLink): string | undefined {
  if (isRegion(region) && isAddress(url)) return undefined
  const typed = withoutSecrets(region === '' ? url : `${region}=${url}`)
  return `--replicate takes a region and the address of its server, such as eu-west-1=https://eu.example.com:8000. It cannot be "${typed}".`
}

export function mistakeOfAll(region: string | undefined, links: readonly DeclaredLink[]): string | undefined {
  if (region !== undefined && !isRegion(region)) {
    return `--region takes the name of a region, such as us-east-1. It cannot be "${region}".`
  }
  if (links.length === 0) return undefined
  if (region === undefined) {
    return '--replicate needs to know the region of this server. Add --region, such as --region us-east-1.'
  }
  const names = links.map((link) => link.region)
  if (names.includes(region)) return `--replicate names the servers of other regions, and ${region} is this one.`
  const twice = names.find((name, position) => names.indexOf(name) !== position)
  return twice === undefined ? undefined : `--replicate names ${twice} twice. A region has one address.`
}

function isRegion(text: string): boolean {
  return /^[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}$/.test(text)
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username + password + search + hash === ''
}
