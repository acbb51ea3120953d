import type { Scope } from '@hashrange/engine'
import type { Tag } from '../identities/identity-records.ts'
import { describedTags } from './describe.ts'
import { requireRole, requireUser } from './holders.ts'
import { accountIn, changeIn, type IamContext } from './iam-context.ts'
import { invalidInput, limitExceeded } from './iam-errors.ts'
import { requireOwnPolicy } from './own-policy.ts'
import { pageOf, type PageInput } from './page.ts'

const mostTags = 50

export interface TagInput {
  readonly Key: string
  readonly Value: string
}

type Tagged = 'user' | 'role' | 'policy'

interface TaggedInput {
  readonly UserName?: string
  readonly RoleName?: string
  readonly PolicyArn?: string
}

interface TagsInput extends TaggedInput {
  readonly Tags: readonly TagInput[]
}

interface UntagInput extends TaggedInput {
  readonly TagKeys: readonly string[]
}

/** Keys differ by more than their case. */
export function readTags(sent: readonly TagInput[] = [], before: readonly Tag[] = []): readonly Tag[] {
  const keys = new Set(sent.map(({ Key }) => Key.toLowerCase()))
  if (keys.size < sent.length) {
    throw invalidInput('Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  }
  const tags = [
    ...before.filter(({ key }) => !keys.has(key.toLowerCase())),
    ...sent.map(({ Key, Value }) => ({ key: Key, value: Value })),
  ]
  if (tags.length > mostTags) throw limitExceeded(`The number of tags has reached the maximum limit: ${mostTags}.`)
  return tags
}

export const tagUser = tagging('user')
export const tagRole = tagging('role')
export const tagPolicy = tagging('policy')
export const untagUser = untagging('user')
export const untagRole = untagging('role')
export const untagPolicy = untagging('policy')
export const listUserTags = listing('user')
export const listRoleTags = listing('role')
export const listPolicyTags = listing('policy')

function tagging(kind: Tagged) {
  return (iam: IamContext, scope: Scope, input: TagsInput): Promise<undefined> =>
    retag(iam, scope, kind, input, (tags) => readTags(input.Tags, tags))
}

function untagging(kind: Tagged) {
  return (iam: IamContext, scope: Scope, input: UntagInput): Promise<undefined> => {
    const gone = new Set(input.TagKeys.map((key) => key.toLowerCase()))
    return retag(iam, scope, kind, input, (tags) => tags.filter(({ key }) => !gone.has(key.toLowerCase())))
  }
}

function listing(kind: Tagged) {
  return async (iam: IamContext, scope: Scope, input: TaggedInput & PageInput): Promise<object> => {
    const account = await accountIn(iam, scope)
    const { tags } = taggedIn(account, kind, input)
    const { items, rest } = pageOf(tags, ({ key }) => key, input)
    return { Tags: describedTags(items) ?? [], ...rest }
  }
}

function retag(
  iam: IamContext,
  scope: Scope,
  kind: Tagged,
  input: TaggedInput,
  change: (tags: readonly Tag[]) => readonly Tag[],
): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const tagged = taggedIn(account, kind, input)
    const put = { ...tagged, tags: change(tagged.tags) }
    return { changes: [{ accountId: account.accountId, put }], answer: undefined }
  })
}

function taggedIn(account: Parameters<typeof requireUser>[0], kind: Tagged, input: TaggedInput) {
  switch (kind) {
    case 'user':
      return requireUser(account, input.UserName ?? '')
    case 'role':
      return requireRole(account, input.RoleName ?? '')
    case 'policy':
      return requireOwnPolicy(account, input.PolicyArn ?? '')
  }
}
