import { serviceOperations, type OpenService } from '@hashrange/engine'
import { cloudFormationOperations, cloudFormationTarget } from './api/operations.ts'
import { readCloudFormationInput } from './api/shape-book.ts'
import { bucketService, bucketTarget, parametersService, parametersTarget } from './assets/operations.ts'
import { cloudFormationOf, type CloudFormationOptions } from './cloudformation.ts'
import { watchStacks } from './deploy/watch-stacks.ts'

/** CloudFormation as a service for an engine. */
export function cloudFormationService(options: CloudFormationOptions = {}): OpenService {
  return (host) => {
    const context = cloudFormationOf(host, options)
    const operations = serviceOperations({
      names: cloudFormationOperations,
      context,
      readInput: readCloudFormationInput,
      load: async () => (await import('./operations/index.ts')).operations,
    })
    return {
      operations: new Map([
        [cloudFormationTarget, operations],
        [bucketTarget, bucketService(context)],
        [parametersTarget, parametersService()],
      ]),
      begin: () => {
        watchStacks(context)
        return Promise.resolve()
      },
    }
  }
}
