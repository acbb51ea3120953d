import type { KinesisEndpoint } from '@hashrange/kinesis'

export const eventFlags = {
  'kinesis-endpoint': { type: 'string' },
} as const

type Values = { readonly 'kinesis-endpoint'?: string | undefined }

export interface EventSettings {
  /** Where the streams of DynamoDB's streaming destinations are, if they are not in this database. */
  readonly kinesisEndpoint?: KinesisEndpoint | undefined
}

/** The flags about where changes are sent, or what is wrong with them. `setting` reads the environment. */
export function readEventFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): EventSettings | { readonly mistake: string } {
  const url = values['kinesis-endpoint'] ?? setting('HASHRANGE_KINESIS_ENDPOINT')
  if (url === undefined) return {}
  if (!isAddress(url)) {
    return {
      mistake: `--kinesis-endpoint takes an address, such as https://kinesis.eu-west-1.amazonaws.com. It cannot be "${url}".`,
    }
  }
  const accessKeyId = setting('AWS_ACCESS_KEY_ID')
  const secretAccessKey = setting('AWS_SECRET_ACCESS_KEY')
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    return {
      mistake:
        '--kinesis-endpoint needs credentials for that endpoint. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    }
  }
  return {
    kinesisEndpoint: { url, accessKeyId, secretAccessKey, sessionToken: setting('AWS_SESSION_TOKEN') },
  }
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username + password + search + hash === ''
}
