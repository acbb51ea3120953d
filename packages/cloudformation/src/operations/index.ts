import type { ServiceOperation } from '@hashrange/engine'
import type { CloudFormationOperation } from '../api/operations.ts'
import type { CloudFormation } from '../cloudformation.ts'
import {
  createChangeSet,
  deleteChangeSet,
  describeChangeSet,
  executeChangeSet,
  listChangeSets,
} from './change-sets.ts'
import { createStack } from './create-stack.ts'
import { deleteStack } from './delete-stack.ts'
import { describeStacks, listExports, listImports, listStacks } from './describe-stacks.ts'
import {
  describeEvents,
  describeStackEvents,
  describeStackResource,
  describeStackResources,
  listStackResources,
} from './stack-resources.ts'
import { getStackPolicy, setStackPolicy, updateTerminationProtection } from './stack-settings.ts'
import { getTemplate, getTemplateSummary, validateTemplate } from './templates.ts'
import { updateStack } from './update-stack.ts'

export const operations: Readonly<Record<CloudFormationOperation, ServiceOperation<CloudFormation>>> = {
  CreateChangeSet: createChangeSet,
  CreateStack: createStack,
  DeleteChangeSet: deleteChangeSet,
  DeleteStack: deleteStack,
  DescribeChangeSet: describeChangeSet,
  DescribeEvents: describeEvents,
  DescribeStackEvents: describeStackEvents,
  DescribeStackResource: describeStackResource,
  DescribeStackResources: describeStackResources,
  DescribeStacks: describeStacks,
  ExecuteChangeSet: executeChangeSet,
  GetStackPolicy: getStackPolicy,
  GetTemplate: getTemplate,
  GetTemplateSummary: getTemplateSummary,
  ListChangeSets: listChangeSets,
  ListExports: listExports,
  ListImports: listImports,
  ListStackResources: listStackResources,
  ListStacks: listStacks,
  SetStackPolicy: setStackPolicy,
  UpdateStack: updateStack,
  UpdateTerminationProtection: updateTerminationProtection,
  ValidateTemplate: validateTemplate,
}
