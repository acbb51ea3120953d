import type { Scope } from '@hashrange/engine'
import { uriEncode } from '../signatures/uri-encode.ts'
import { namedAs, put, requireHolder, type HolderInput, type HolderKind } from './holders.ts'
import { accountIn, changeIn, type IamContext } from './iam-context.ts'
import { assertPolicy, limitExceeded, noSuchEntity } from './iam-errors.ts'
import { pageOf, type PageInput } from './page.ts'

interface NamedInput extends HolderInput {
  readonly PolicyName: string
}

/** How many characters, but for blanks, the documents of one of these may have together. */
const mostCharacters = { user: 2048, group: 5120, role: 10_240 } as const

export const putUserPolicy = putting('user')
export const putGroupPolicy = putting('group')
export const putRolePolicy = putting('role')
export const getUserPolicy = getting('user')
export const getGroupPolicy = getting('group')
export const getRolePolicy = getting('role')
export const deleteUserPolicy = deleting('user')
export const deleteGroupPolicy = deleting('group')
export const deleteRolePolicy = deleting('role')
export const listUserPolicies = listing('user')
export const listGroupPolicies = listing('group')
export const listRolePolicies = listing('role')

function putting(kind: HolderKind) {
  return (
    iam: IamContext,
    scope: Scope,
    input: NamedInput & { readonly PolicyDocument: string },
  ): Promise<undefined> => {
    assertPolicy(input.PolicyDocument, 'identity')
    return changeIn(iam, scope, (account) => {
      const holder = requireHolder(account, kind, input)
      const others = holder.inline.filter(({ name }) => name !== input.PolicyName)
      const inline = [...others, { name: input.PolicyName, document: input.PolicyDocument }]
      const characters = inline.reduce((sum, { document }) => sum + document.replaceAll(/\s/g, '').length, 0)
      if (characters > mostCharacters[kind]) {
        throw limitExceeded(
          `Maximum policy size of ${mostCharacters[kind]} bytes exceeded for ${kind} ${holder.name}`,
        )
      }
      return { changes: [put(account, { ...holder, inline })], answer: undefined }
    })
  }
}

function getting(kind: HolderKind) {
  return async (iam: IamContext, scope: Scope, input: NamedInput): Promise<object> => {
    const holder = requireHolder(await accountIn(iam, scope), kind, input)
    const policy = holder.inline.find(({ name }) => name === input.PolicyName)
    if (policy === undefined) throw missing(kind, input.PolicyName)
    return {
      ...namedAs(kind, holder.name),
      PolicyName: policy.name,
      PolicyDocument: uriEncode(policy.document),
    }
  }
}

function deleting(kind: HolderKind) {
  return (iam: IamContext, scope: Scope, input: NamedInput): Promise<undefined> =>
    changeIn(iam, scope, (account) => {
      const holder = requireHolder(account, kind, input)
      const inline = holder.inline.filter(({ name }) => name !== input.PolicyName)
      if (inline.length === holder.inline.length) throw missing(kind, input.PolicyName)
      return { changes: [put(account, { ...holder, inline })], answer: undefined }
    })
}

function listing(kind: HolderKind) {
  return async (iam: IamContext, scope: Scope, input: HolderInput & PageInput): Promise<object> => {
    const holder = requireHolder(await accountIn(iam, scope), kind, input)
    const { items, rest } = pageOf(holder.inline, ({ name }) => name, input)
    return { PolicyNames: items.map(({ name }) => name), ...rest }
  }
}

function missing(kind: HolderKind, name: string): Error {
  return noSuchEntity(`The ${kind} policy with name ${name} cannot be found.`)
}
