import type { Scope } from '@hashrange/engine'
import type { PolicyDocument } from '../policies/policy-document.ts'
import { parsePolicy } from '../policies/parse-policy.ts'
import { documentsOf } from '../identities/caller-policies.ts'
import { findSimulated } from './find-simulated.ts'
import { accountIn, type IamContext } from './iam-context.ts'
import { assertPolicy } from './iam-errors.ts'

/** The keys that policies ask for, in their conditions and in the variables of their texts. */
export async function getContextKeysForCustomPolicy(
  _iam: IamContext,
  _scope: Scope,
  input: { readonly PolicyInputList: readonly string[] },
): Promise<object> {
  return { ContextKeyNames: keysIn(input.PolicyInputList) }
}

export async function getContextKeysForPrincipalPolicy(
  iam: IamContext,
  scope: Scope,
  input: { readonly PolicySourceArn: string; readonly PolicyInputList?: readonly string[] },
): Promise<object> {
  const { accountId } = await accountIn(iam, scope)
  const caller = findSimulated(iam.identities.book, accountId, input.PolicySourceArn)
  const { identity, boundary } = documentsOf(iam.identities.book, caller)
  const texts = [...identity.map(({ document }) => document), ...(boundary === undefined ? [] : [boundary])]
  return { ContextKeyNames: keysIn([...texts, ...(input.PolicyInputList ?? [])]) }
}

function keysIn(texts: readonly string[]): readonly string[] {
  const keys = texts.flatMap((text) => {
    assertPolicy(text, 'identity')
    return keysOf(parsePolicy(text, 'identity'))
  })
  return [...new Set(keys)].toSorted()
}

function keysOf({ statements }: PolicyDocument): readonly string[] {
  return statements.flatMap(({ conditions, resource }) => [
    ...conditions.map(({ key }) => key),
    ...variablesIn([...(resource?.patterns ?? []), ...conditions.flatMap(({ values }) => values)]),
  ])
}

/** `${*}`, `${?}` and `${$}` stand for characters. */
function variablesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(/\$\{\s*([^},\s]+)/g)].flatMap(([, name = '']) => (/^[*?$]$/.test(name) ? [] : [name])),
  )
}
