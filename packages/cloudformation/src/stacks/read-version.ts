import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { objectOf, plainText, type JsonObject } from '@hashrange/templates'
import type { SentStack } from '../api/inputs.ts'
import { objectAt } from '../assets/bucket.ts'
import { parameterAt } from '../assets/parameters.ts'
import type { CloudFormation } from '../cloudformation.ts'
import type { StackVersion } from '../records/stack-record.ts'
import {
  assertCapable,
  longestBodyBytes,
  longestTemplateBytes,
  readParameters,
  readTemplate,
} from './read-template.ts'

/** What a stack is asked to be, with what it was where the request says so. */
export async function readVersion(
  cf: CloudFormation,
  scope: Scope,
  sent: SentStack,
  {
    previous,
    isChangeSet = false,
  }: { readonly previous?: StackVersion | undefined; readonly isChangeSet?: boolean },
): Promise<StackVersion> {
  const template = await templateText(cf, scope, sent, previous)
  const document = readTemplate(template)
  const parameters = readParameters(document, sent.Parameters ?? [], previous?.parameters ?? {})
  const capabilities = sent.Capabilities ?? []
  assertCapable(document, capabilities, isChangeSet)
  const description = document['Description']
  return {
    template,
    parameters,
    resolved: resolve(document, parameters),
    tags: sent.Tags ?? previous?.tags ?? [],
    capabilities,
    roleArn: sent.RoleARN ?? previous?.roleArn,
    notificationArns: sent.NotificationARNs ?? previous?.notificationArns ?? [],
    description: description === undefined ? undefined : plainText(description).slice(0, 1024),
  }
}

export async function templateText(
  cf: CloudFormation,
  scope: Scope,
  sent: Pick<SentStack, 'TemplateBody' | 'TemplateURL' | 'UsePreviousTemplate'>,
  previous?: StackVersion,
): Promise<string> {
  const { TemplateBody, TemplateURL, UsePreviousTemplate } = sent
  if (UsePreviousTemplate === true && previous !== undefined) return previous.template
  if (TemplateBody !== undefined) {
    if (TemplateURL !== undefined)
      throw validationException('Either Template URL or Template Body must be specified.')
    if (Buffer.byteLength(TemplateBody) > longestBodyBytes)
      throw validationException(
        `1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to ${longestBodyBytes}`,
      )
    return TemplateBody
  }
  if (TemplateURL === undefined)
    throw validationException('Either Template URL or Template Body must be specified.')
  const found = await objectAt(cf, scope, TemplateURL)
  if (found === undefined) throw validationException('S3 error: The specified key does not exist.')
  if (found.length > longestTemplateBytes)
    throw validationException(`Template may not exceed ${longestTemplateBytes} bytes in size.`)
  return found.toString('utf8')
}

/** The parameters that Systems Manager keeps. */
function resolve(
  document: JsonObject,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const resolved: Record<string, string> = {}
  for (const [name, declaration] of Object.entries(objectOf(document['Parameters']))) {
    if (!plainText(objectOf(declaration)['Type']).startsWith('AWS::SSM::Parameter::Value<')) continue
    const key = parameters[name] ?? ''
    const value = parameterAt(key)
    if (value === undefined)
      throw validationException(
        `Unable to fetch parameters [${key.slice(0, 256)}] from parameter store for this account.`,
      )
    resolved[name] = value
  }
  return resolved
}
