import { randomUUID } from 'node:crypto'
import type { Scope } from '@hashrange/engine'
import { readTriggerSettings, type DeclaredTrigger, type Lambda } from '@hashrange/lambda'
import type { Trigger, TriggerHandler, TriggerOptions } from './trigger-options.ts'
import { wireSettings } from './wire-settings.ts'

/** Adds a trigger whose handler runs in this process. */
export async function addTrigger(
  lambda: Lambda,
  scope: Scope,
  tableName: string,
  handler: TriggerHandler,
  options: TriggerOptions,
): Promise<Trigger> {
  if (lambda.host.definitionOf(scope, tableName) === undefined)
    throw new Error(`There is no table ${tableName}. Create it before its triggers.`)
  const functionName = options.name ?? `trigger-of-${tableName.replaceAll('.', '-')}-${randomUUID().slice(0, 8)}`
  if (!/^[\w-]{1,64}$/.test(functionName))
    throw new Error(
      `A trigger's name has up to 64 letters, digits, - and _, unlike ${JSON.stringify(functionName)}.`,
    )
  if (lambda.functions.isDeclared(functionName)) throw new Error(`There is a trigger ${functionName} already.`)
  const trigger: DeclaredTrigger = {
    tableName,
    functionName,
    scope,
    startFrom: options.startingPosition ?? 'LATEST',
    isRemembered: options.name === undefined,
    settings: readTriggerSettings(wireSettings(options)),
  }
  lambda.declareFunction({ name: functionName, code: { kind: 'handler', handler }, concurrency: 1_000 })
  await lambda.declareTrigger(trigger)
  return {
    stop: async () => {
      await lambda.removeTrigger(trigger)
      lambda.functions.forget(functionName)
    },
  }
}
