import { serviceOperations, type OpenService } from '@hashrange/engine'
import { pipesOperations, pipesTarget } from './api/operations.ts'
import { readPipesInput } from './api/pipes-shapes.ts'
import { runPipes } from './delivery/run-pipes.ts'
import { pipesOf } from './pipes.ts'

/** EventBridge Pipes, as a service for an engine. */
export function pipesService(onError: (error: unknown) => void = () => undefined): OpenService {
  return (host) => {
    const context = pipesOf(host, onError)
    const operations = serviceOperations({
      names: pipesOperations,
      context,
      readInput: readPipesInput,
      load: async () => (await import('./operations/index.ts')).operations,
    })
    return {
      operations: new Map([[pipesTarget, operations]]),
      begin: () => {
        runPipes(context)
        return Promise.resolve()
      },
    }
  }
}
