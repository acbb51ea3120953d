import type { SSESpecificationInput } from '../api/table-inputs.ts'
import type { Encryption } from '../definitions/table-definition.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from './invalid-parameter.ts'

/** Rejects contradictory specifications, whatever the table. */
export function checkEncryption(specification: SSESpecificationInput | undefined): void {
  if (specification === undefined) return
  const { Enabled, SSEType, KMSMasterKeyId } = specification
  if (Enabled === false && SSEType !== undefined) {
    throw invalidParameter('SSEType can not be specified if Enabled is false')
  }
  if (Enabled === false && KMSMasterKeyId !== undefined) {
    throw invalidParameter('KMSMasterKeyId can not be specified if Enabled is false')
  }
  if (SSEType === 'AES256') throw invalidParameter('SSEType AES256 is not supported')
  if (KMSMasterKeyId !== undefined && SSEType !== 'KMS') {
    throw invalidParameter('SSEType KMS is required if KMSMasterKeyId is specified')
  }
}

/** The key with which a table is said to be encrypted. Undefined means the service's own key, which it does not
 *  mention. `keyUuid` names the account's managed key, because there is no key service to ask. */
export function readEncryption(
  specification: SSESpecificationInput | undefined,
  scope: Scope,
  keyUuid: () => string,
): Encryption | undefined {
  if (specification === undefined) return undefined
  const { Enabled, SSEType, KMSMasterKeyId } = specification
  if (Enabled !== true && SSEType === undefined) return undefined
  if (KMSMasterKeyId?.startsWith('arn:') === true) return { kmsKeyArn: KMSMasterKeyId }
  const resource =
    KMSMasterKeyId?.startsWith('alias/') === true ? KMSMasterKeyId : `key/${KMSMasterKeyId ?? keyUuid()}`
  return { kmsKeyArn: `arn:aws:kms:${scope.region}:${scope.accountId}:${resource}` }
}
