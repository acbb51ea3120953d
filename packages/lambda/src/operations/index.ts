import type { ServiceOperation } from '@hashrange/engine'
import type { LambdaOperation } from '../api/operations.ts'
import type { Lambda } from '../lambda.ts'
import { createEventSourceMapping } from './create-event-source-mapping.ts'
import { createFunction } from './create-function.ts'
import { deleteEventSourceMapping } from './delete-event-source-mapping.ts'
import { deleteFunction } from './delete-function.ts'
import {
  deleteFunctionConcurrency,
  getAccountSettings,
  getFunctionCodeSigningConfig,
  getFunctionConcurrency,
  getFunctionEventInvokeConfig,
  getFunctionRecursionConfig,
  getPolicy,
  getRuntimeManagementConfig,
  listAliases,
  listVersionsByFunction,
  putFunctionConcurrency,
} from './function-settings.ts'
import { getEventSourceMapping } from './get-event-source-mapping.ts'
import { getFunctionConfiguration } from './get-function-configuration.ts'
import { getFunction } from './get-function.ts'
import { invoke } from './invoke.ts'
import { listEventSourceMappings } from './list-event-source-mappings.ts'
import { listFunctions } from './list-functions.ts'
import { listTags, tagResource, untagResource } from './tags.ts'
import { updateEventSourceMapping } from './update-event-source-mapping.ts'
import { updateFunctionCode } from './update-function-code.ts'
import { updateFunctionConfiguration } from './update-function-configuration.ts'

export const operations: Readonly<Record<LambdaOperation, ServiceOperation<Lambda>>> = {
  CreateEventSourceMapping: createEventSourceMapping,
  CreateFunction: createFunction,
  DeleteEventSourceMapping: deleteEventSourceMapping,
  DeleteFunction: deleteFunction,
  DeleteFunctionConcurrency: deleteFunctionConcurrency,
  GetAccountSettings: getAccountSettings,
  GetEventSourceMapping: getEventSourceMapping,
  GetFunction: getFunction,
  GetFunctionCodeSigningConfig: getFunctionCodeSigningConfig,
  GetFunctionConcurrency: getFunctionConcurrency,
  GetFunctionConfiguration: getFunctionConfiguration,
  GetFunctionEventInvokeConfig: getFunctionEventInvokeConfig,
  GetFunctionRecursionConfig: getFunctionRecursionConfig,
  GetPolicy: getPolicy,
  GetRuntimeManagementConfig: getRuntimeManagementConfig,
  Invoke: invoke,
  ListAliases: listAliases,
  ListEventSourceMappings: listEventSourceMappings,
  ListFunctions: listFunctions,
  ListTags: listTags,
  ListVersionsByFunction: listVersionsByFunction,
  PutFunctionConcurrency: putFunctionConcurrency,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateEventSourceMapping: updateEventSourceMapping,
  UpdateFunctionCode: updateFunctionCode,
  UpdateFunctionConfiguration: updateFunctionConfiguration,
}
