import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { ConcurrencyInput, FunctionInput, PageInput } from '../api/inputs.ts'
import { describeFunction } from '../functions/describe-function.ts'
import { functionArn } from '../functions/lambda-function.ts'
import type { Lambda } from '../lambda.ts'
import { changeFunction } from './change-function.ts'

/** What infrastructure tools ask about every function, and what is the same for all of them here. */

export async function putFunctionConcurrency(
  lambda: Lambda,
  scope: Scope,
  input: ConcurrencyInput,
): Promise<object> {
  const reservedConcurrency = input.ReservedConcurrentExecutions
  await changeFunction(lambda, scope, input.FunctionName, (current) => ({ ...current, reservedConcurrency }))
  return { ReservedConcurrentExecutions: reservedConcurrency }
}

export async function getFunctionConcurrency(lambda: Lambda, scope: Scope, input: FunctionInput): Promise<object> {
  const { code } = await lambda.functions.require(scope, input.FunctionName)
  const reserved = code.kind === 'stored' ? code.record.reservedConcurrency : undefined
  return reserved === undefined ? {} : { ReservedConcurrentExecutions: reserved }
}

export async function deleteFunctionConcurrency(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<undefined> {
  await changeFunction(lambda, scope, input.FunctionName, (current) => ({
    ...current,
    reservedConcurrency: undefined,
  }))
}

export async function getFunctionCodeSigningConfig(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<object> {
  const { name } = await lambda.functions.require(scope, input.FunctionName)
  return { FunctionName: name }
}

export async function getFunctionRecursionConfig(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<object> {
  await lambda.functions.require(scope, input.FunctionName)
  return { RecursiveLoop: 'Allow' }
}

export async function getRuntimeManagementConfig(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<object> {
  const { name } = await lambda.functions.require(scope, input.FunctionName)
  return { UpdateRuntimeOn: 'Auto', FunctionArn: functionArn(scope, name) }
}

/** Nothing is configured for the events of any function. */
export async function getFunctionEventInvokeConfig(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput,
): Promise<never> {
  const { name } = await lambda.functions.require(scope, input.FunctionName)
  throw notThere(`The function ${functionArn(scope, name)}:$LATEST doesn't have an EventInvokeConfig`)
}

/** Functions have no policies of their own here: whoever may call one says so. */
export async function getPolicy(lambda: Lambda, scope: Scope, input: FunctionInput): Promise<never> {
  await lambda.functions.require(scope, input.FunctionName)
  throw notThere('The resource you requested does not exist.')
}

export async function listVersionsByFunction(
  lambda: Lambda,
  scope: Scope,
  input: FunctionInput & PageInput,
): Promise<object> {
  return { Versions: [describeFunction(await lambda.functions.require(scope, input.FunctionName))] }
}

export async function listAliases(lambda: Lambda, scope: Scope, input: FunctionInput): Promise<object> {
  await lambda.functions.require(scope, input.FunctionName)
  return { Aliases: [] }
}

export function getAccountSettings(): Promise<object> {
  return Promise.resolve({
    AccountLimit: {
      TotalCodeSize: 80_530_636_800,
      CodeSizeUnzipped: 262_144_000,
      CodeSizeZipped: 52_428_800,
      ConcurrentExecutions: 1000,
      UnreservedConcurrentExecutions: 1000,
    },
    AccountUsage: { TotalCodeSize: 0, FunctionCount: 0 },
  })
}

function notThere(message: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', message)
}
