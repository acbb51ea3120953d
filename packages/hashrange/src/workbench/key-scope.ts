import type { Scope } from '@hashrange/engine'
import { scopeOfKey } from '@hashrange/server'
import { ApiRefusal, type ApiHandler } from './api-handler.ts'
import { isRegion } from './read-scope.ts'

/** The scope that a client with this access key sees. */
export const keyScope: ApiHandler = async ({ shared }, { body }): Promise<Scope> => {
  const { accessKeyId, region } = body
  if (typeof accessKeyId !== 'string' || accessKeyId === '' || typeof region !== 'string' || !isRegion(region)) {
    throw new ApiRefusal(400, 'BadScope', 'Give an access key and a region, such as "local" and "us-east-1".')
  }
  return scopeOfKey(accessKeyId, region, shared)
}
