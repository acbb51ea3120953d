import type { Logger } from '@hashrange/server'
import { ApiRefusal } from '../api-handler.ts'
import type { Connection } from './connection.ts'

/** Why there are no credentials, in a sentence. What a program that provides them has printed may contain secrets: it is
 *  for the output of the server, and not for the page. */
export function explainCredentials(error: unknown, connection: Connection, logger: Logger): ApiRefusal {
  const { name, profile } = connection
  const words = error instanceof Error ? error.message : String(error)
  const [firstLine = ''] = words.split('\n', 1)
  const whose = profile === undefined ? 'the default credentials' : `the AWS profile ${profile}`
  const refusal = (sentence: string): ApiRefusal => new ApiRefusal(400, 'NoCredentials', `${name}: ${sentence}`)
  if (/sso/i.test(words) && /expired|invalid|not found|refresh/i.test(words)) {
    return refusal(
      `the SSO session of ${whose} has ended. Run: aws sso login${profile === undefined ? '' : ` --profile ${profile}`}. Then try again.`,
    )
  }
  if (/^Command failed|credential_process/i.test(words)) {
    logger.error(`hashrange: the program that provides the credentials of ${name} failed:`, error)
    return refusal(`the program that provides the credentials of ${whose} failed. See the output of hashrange.`)
  }
  if (/could not be found|Could not (?:resolve|load|find)/i.test(words)) {
    return refusal(`no credentials were found for ${whose}. Add them with: aws configure. Then try again.`)
  }
  logger.error(`hashrange: there are no credentials for ${name}:`, error)
  return refusal(`the credentials of ${whose} were refused (${firstLine.slice(0, 300)}).`)
}
