import type { Scope } from '@hashrange/engine'
import { ApiRefusal } from './api-handler.ts'

/** The account and region that a request of the page is about. */
export function readScope(query: URLSearchParams): Scope {
  const accountId = query.get('account') ?? ''
  const region = query.get('region') ?? ''
  if (!/^\d{12}$/.test(accountId) || !isRegion(region)) {
    throw new ApiRefusal(
      400,
      'BadScope',
      'Say which tables to use: account is 12 digits, region is a name such as us-east-1.',
    )
  }
  return { accountId, region }
}

export function isRegion(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text)
}
