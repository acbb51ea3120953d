import type { SigningCredentials } from '@hashrange/server'
import { ApiRefusal } from '../api-handler.ts'
import { profileNamed } from '../../aws-profiles.ts'
import type { Connection } from './connection.ts'

/** Where the requests of a connection go, and who signs them. */
export interface RemoteRoute {
  readonly url: URL
  /** AWS serves streams elsewhere. */
  readonly streamsUrl: URL
  readonly credentials: () => Promise<SigningCredentials>
}

/** Servers other than AWS usually accept any secret. */
const anySecret = 'local'

/** Credentials come from where the SDK looks for them: keys, environment, SSO, roles to assume, programs. It is loaded
 *  with the first request that needs it. */
export async function openRoute(connection: Connection, region: string): Promise<RemoteRoute> {
  const { endpoint, profile, accessKeyId = 'local' } = connection
  if (endpoint !== undefined && profile === undefined && connection.kind !== 'aws') {
    const url = new URL(endpoint)
    return {
      url,
      streamsUrl: url,
      credentials: async () => ({ accessKeyId, secretAccessKey: anySecret }),
    }
  }
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb').catch((cause: unknown) => {
    const sentence = 'AWS profiles need the AWS SDK. Install it with: npm install @aws-sdk/client-dynamodb'
    throw new ApiRefusal(400, 'NoSdk', sentence, { cause })
  })
  // Profiles that were changed meanwhile, as by `aws configure`, are read anew.
  const settings = { region, ignoreCache: true, ...(profile !== undefined && { profile }) }
  const { config } = new DynamoDBClient(settings)
  const elsewhere = endpoint ?? configuredEndpoint(profile)
  const url =
    elsewhere === undefined
      ? config.endpointProvider({ Region: region, UseFIPS: false, UseDualStack: false }).url
      : new URL(elsewhere)
  const streamsUrl = new URL(url)
  if (/^dynamodb\..*\.amazonaws\.com(?:\.cn)?$/.test(url.hostname)) streamsUrl.hostname = `streams.${url.hostname}`
  return { url, streamsUrl, credentials: () => config.credentials() }
}

/** As the AWS CLI finds it: what is about DynamoDB alone comes first. */
function configuredEndpoint(profile: string | undefined): string | undefined {
  const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, AWS_PROFILE } = process.env
  const ofProfile = profileNamed(profile ?? AWS_PROFILE ?? 'default')?.endpoint
  const found = AWS_ENDPOINT_URL_DYNAMODB || ofProfile || AWS_ENDPOINT_URL || undefined
  return found !== undefined && URL.canParse(found) ? found : undefined
}
