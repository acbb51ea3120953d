import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { objectOf, plainText, type JsonObject } from '@hashrange/templates'
import type { CloudFormation } from '../cloudformation.ts'
import { assertReferences } from '../stacks/assert-references.ts'
import { neededCapabilities, readTemplate, transformsOf } from '../stacks/read-template.ts'
import { templateText } from '../stacks/read-version.ts'
import { requireChangeSet, requireStack } from '../stacks/stack-book.ts'

interface TemplateInput {
  readonly TemplateBody?: string
  readonly TemplateURL?: string
  readonly StackName?: string
  readonly ChangeSetName?: string
}

export async function getTemplate(cf: CloudFormation, scope: Scope, { StackName, ChangeSetName }: TemplateInput) {
  const StagesAvailable = ['Original', 'Processed']
  if (ChangeSetName !== undefined) {
    const { version } = await requireChangeSet(cf, scope, ChangeSetName, StackName)
    return { TemplateBody: version.template, StagesAvailable }
  }
  if (StackName === undefined) throw validationException('StackName must be specified.')
  const { version, status } = await requireStack(cf, scope, StackName)
  return { TemplateBody: status === 'REVIEW_IN_PROGRESS' ? '' : version.template, StagesAvailable }
}

export async function validateTemplate(cf: CloudFormation, scope: Scope, input: TemplateInput) {
  const template = readTemplate(await templateText(cf, scope, input))
  assertReferences(template)
  const { Description, ...told } = aboutTemplate(template)
  const Parameters = Object.entries(objectOf(template['Parameters'])).map(([ParameterKey, declared]) => {
    const { Default, NoEcho, Description: text } = objectOf(declared)
    return {
      ParameterKey,
      DefaultValue: textOf(Default),
      NoEcho: plainText(NoEcho) === 'true',
      Description: textOf(text),
    }
  })
  return { Parameters, Description, ...told }
}

export async function getTemplateSummary(cf: CloudFormation, scope: Scope, input: TemplateInput) {
  const { StackName } = input
  const text =
    StackName === undefined
      ? await templateText(cf, scope, input)
      : (await requireStack(cf, scope, StackName)).version.template
  const template = readTemplate(text)
  const Parameters = Object.entries(objectOf(template['Parameters'])).map(([ParameterKey, declared]) => {
    const { Default, NoEcho, Description, Type, AllowedValues } = objectOf(declared)
    return {
      ParameterKey,
      DefaultValue: textOf(Default),
      ParameterType: plainText(Type ?? 'String'),
      NoEcho: plainText(NoEcho) === 'true',
      Description: textOf(Description),
      ParameterConstraints: Array.isArray(AllowedValues) ? { AllowedValues: AllowedValues.map(plainText) } : {},
    }
  })
  const resources = Object.entries(objectOf(template['Resources']))
  const ResourceTypes = [...new Set(resources.map(([, resource]) => plainText(objectOf(resource)['Type'])))]
  const byType = ResourceTypes.map((ResourceType) => ({
    ResourceType,
    LogicalResourceIds: resources.filter(([, one]) => objectOf(one)['Type'] === ResourceType).map(([id]) => id),
    ResourceIdentifiers: ResourceType.startsWith('AWS::DynamoDB::') ? ['TableName'] : [],
  }))
  const version = template['AWSTemplateFormatVersion']
  return {
    Parameters,
    ...aboutTemplate(template),
    ResourceTypes,
    Version: textOf(version),
    ResourceIdentifierSummaries: byType,
  }
}

function aboutTemplate(template: JsonObject) {
  const Capabilities = neededCapabilities(template)
  return {
    Description: textOf(template['Description']),
    Capabilities,
    CapabilitiesReason:
      Capabilities.length === 0
        ? undefined
        : `The following resource(s) require capabilities: [${iamTypes(template).join(', ')}]`,
    DeclaredTransforms: transformsOf(template),
  }
}

function iamTypes(template: JsonObject): readonly string[] {
  const types = Object.values(objectOf(template['Resources'])).map((one) => plainText(objectOf(one)['Type']))
  return [...new Set(types.filter((type) => type.startsWith('AWS::IAM::')))]
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : plainText(value)
}
