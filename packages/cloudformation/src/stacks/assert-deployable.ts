import type { Scope } from '@hashrange/engine'
import type { StackRecord, StackVersion } from '../records/stack-record.ts'
import { assertCreated, assertReferences } from './assert-references.ts'
import { declaredResources } from './declared-resources.ts'
import { readTemplate } from './read-template.ts'
import { StackValues } from './stack-values.ts'

/** What is wrong with a template as a whole is said at once, before anything is created or changed. */
export function assertDeployable(
  scope: Scope,
  stack: Pick<StackRecord, 'name' | 'uid' | 'resources'>,
  version: StackVersion,
): void {
  const document = readTemplate(version.template)
  assertReferences(document)
  const known = { scope, stack, version, document, resources: stack.resources, exports: new Map<string, string>() }
  const values = new StackValues(known)
  declaredResources(values)
  assertCreated(document, (condition) => values.condition(condition) === true)
}
