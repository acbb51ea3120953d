import type { Scope } from '@hashrange/engine'
import { documentOf } from '../identities/find-policy.ts'
import { assertQuota, put, requireHolder, type HolderInput, type HolderKind } from './holders.ts'
import { accountIn, changeIn, type IamContext } from './iam-context.ts'
import { noSuchEntity } from './iam-errors.ts'
import { pageOf, type PageInput } from './page.ts'

const mostAttached = 10
const words = { user: 'PoliciesPerUser', group: 'PoliciesPerGroup', role: 'PoliciesPerRole' } as const

interface AttachInput extends HolderInput {
  readonly PolicyArn: string
}

export const attachUserPolicy = attaching('user')
export const attachGroupPolicy = attaching('group')
export const attachRolePolicy = attaching('role')
export const detachUserPolicy = detaching('user')
export const detachGroupPolicy = detaching('group')
export const detachRolePolicy = detaching('role')
export const listAttachedUserPolicies = listing('user')
export const listAttachedGroupPolicies = listing('group')
export const listAttachedRolePolicies = listing('role')

function attaching(kind: HolderKind) {
  return (iam: IamContext, scope: Scope, input: AttachInput): Promise<undefined> =>
    changeIn(iam, scope, (account, book) => {
      const holder = requireHolder(account, kind, input)
      const arn = input.PolicyArn
      if (documentOf(book, arn) === undefined || !isOfAccount(arn, account.accountId)) {
        throw noSuchEntity(`Policy ${arn} does not exist or is not attachable.`)
      }
      if (holder.attached.includes(arn)) return { changes: [], answer: undefined }
      assertQuota(words[kind], holder.attached.length, mostAttached)
      return { changes: [put(account, { ...holder, attached: [...holder.attached, arn] })], answer: undefined }
    })
}

function detaching(kind: HolderKind) {
  return (iam: IamContext, scope: Scope, input: AttachInput): Promise<undefined> =>
    changeIn(iam, scope, (account) => {
      const holder = requireHolder(account, kind, input)
      const attached = holder.attached.filter((arn) => arn !== input.PolicyArn)
      if (attached.length === holder.attached.length) {
        throw noSuchEntity(`Policy ${input.PolicyArn} was not found.`)
      }
      return { changes: [put(account, { ...holder, attached })], answer: undefined }
    })
}

function listing(kind: HolderKind) {
  return async (iam: IamContext, scope: Scope, input: HolderInput & PageInput): Promise<object> => {
    const holder = requireHolder(await accountIn(iam, scope), kind, input)
    const { PathPrefix: prefix = '/' } = input
    const below = holder.attached.filter((arn) => arn.slice(arn.indexOf('/')).startsWith(prefix))
    const { items, rest } = pageOf(below, nameIn, input)
    return { AttachedPolicies: items.map((arn) => ({ PolicyName: nameIn(arn), PolicyArn: arn })), ...rest }
  }
}

function nameIn(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1)
}

function isOfAccount(arn: string, accountId: string): boolean {
  return arn.startsWith('arn:aws:iam::aws:') || arn.startsWith(`arn:aws:iam::${accountId}:`)
}
