import { serviceInputReader, serviceOperations, type OpenService, type Service } from '@hashrange/engine'
import { accessOperations } from './api/operations.ts'
import { iamShapes, stsShapes } from './api/shape-books.ts'
import type { IamContext } from './iam/iam-context.ts'
import { Identities } from './identities/identities.ts'
import { openSecrets, type SecretKeySource } from './identities/open-secrets.ts'
import type { SecretBox } from './secrets/secret-box.ts'

export interface AccessServiceOptions {
  /** Asked for when it is first needed. */
  readonly secretKey: SecretKeySource
  /** Given the identities before the first request. */
  readonly onOpen?: (context: IamContext) => void
}

/** How soon a server knows what another one of the same store has changed. */
const pollMs = 400

/** IAM and STS, for whoever opens an engine. */
export function accessService({ secretKey, onOpen }: AccessServiceOptions): OpenService {
  return (host) => {
    const identities = new Identities(host)
    let box: Promise<SecretBox> | undefined
    const openBox = (): Promise<SecretBox> => {
      box ??= openSecrets(identities, secretKey).catch((error: unknown) => {
        box = undefined
        throw error
      })
      return box
    }
    const context: IamContext = { identities, box: openBox }
    onOpen?.(context)
    return serviceOf(context, async () => {
      await identities.refresh()
      if (host.isShared) host.background.every(pollMs, () => identities.refresh())
    })
  }
}

function serviceOf(context: IamContext, begin: () => Promise<void>): Service {
  const iam = serviceOperations({
    names: accessOperations.AWSIdentityManagementV20100508,
    context,
    readInput: serviceInputReader(iamShapes),
    load: async () => (await import('./iam/index.ts')).iam,
  })
  const sts = serviceOperations({
    names: accessOperations.AWSSecurityTokenServiceV20110615,
    context,
    readInput: serviceInputReader(stsShapes),
    load: async () => (await import('./sts/index.ts')).sts,
  })
  return {
    operations: new Map([
      ['AWSIdentityManagementV20100508', iam],
      ['AWSSecurityTokenServiceV20110615', sts],
    ]),
    begin,
  }
}
