import type { DeclaredWebhook, KinesisEndpoint } from '@hashrange/kinesis'

export const eventFlags = {
  'kinesis-endpoint': { type: 'string' },
  'change-webhook': { type: 'string', multiple: true },
} as const

interface Values {
  readonly 'kinesis-endpoint'?: string | undefined
  readonly 'change-webhook'?: readonly string[] | undefined
}

export interface EventSettings {
  /** Where the streams of DynamoDB's streaming destinations are, if they are not in this database. */
  readonly kinesisEndpoint?: KinesisEndpoint | undefined
  /** Where the changes of tables are sent, and the secret that signs them. */
  readonly changeWebhooks?: readonly DeclaredWebhook[] | undefined
  readonly webhookSecret?: string | undefined
}

/** The flags about where changes are sent, or what is wrong with them. `setting` reads the environment. */
export function readEventFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): EventSettings | { readonly mistake: string } {
  const kinesis = readKinesis(values, setting)
  if ('mistake' in kinesis) return kinesis
  const webhooks = readWebhooks(values, setting)
  return 'mistake' in webhooks ? webhooks : { ...kinesis, ...webhooks }
}

/** `orders=https://hooks.example.com/orders`. The secret is not a flag: other users of the machine can see flags. */
function readWebhooks(
  values: Values,
  setting: (name: string) => string | undefined,
): EventSettings | { readonly mistake: string } {
  const typed = values['change-webhook'] ?? setting('HASHRANGE_CHANGE_WEBHOOKS')?.split(/[\s,]+/)
  const webhookSecret = setting('HASHRANGE_WEBHOOK_SECRET')
  // Pipes sign what they send to HTTP endpoints with it as well.
  if (typed === undefined) return webhookSecret === undefined ? {} : { webhookSecret }
  const changeWebhooks: DeclaredWebhook[] = []
  for (const text of typed.filter((word) => word !== '')) {
    const [, tableName = '', url = ''] = /^([a-zA-Z0-9_.-]{3,255})=(.+)$/.exec(text) ?? []
    if (!isWebhook(url)) {
      return {
        mistake: `--change-webhook takes a table and an address, such as orders=https://hooks.example.com/orders. It cannot be "${text}".`,
      }
    }
    changeWebhooks.push({ tableName, url })
  }
  if (webhookSecret === undefined || webhookSecret.length < 16) {
    return {
      mistake:
        '--change-webhook signs what it sends. Set HASHRANGE_WEBHOOK_SECRET to at least 16 characters: openssl rand -hex 32.',
    }
  }
  return { changeWebhooks, webhookSecret }
}

function isWebhook(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username + password + hash === ''
}

function readKinesis(
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
