import { serviceOperations, type OpenService } from '@hashrange/engine'
import { eventsOperations, eventsTarget } from './api/events-operations.ts'
import { readEventsInput } from './api/events-shapes.ts'
import { pipesOperations, pipesTarget } from './api/operations.ts'
import { readPipesInput } from './api/pipes-shapes.ts'
import { watchPipes } from './delivery/watch-pipes.ts'
import { pipesOf, type PipesOptions } from './pipes.ts'

/** EventBridge Pipes, and the HTTP endpoints of EventBridge that they write to, as a service for an engine. */
export function pipesService(options: PipesOptions): OpenService {
  return (host) => {
    const context = pipesOf(host, options)
    const pipes = serviceOperations({
      names: pipesOperations,
      context,
      readInput: readPipesInput,
      load: async () => (await import('./operations/index.ts')).operations,
    })
    const events = serviceOperations({
      names: eventsOperations,
      context,
      readInput: readEventsInput,
      load: async () => (await import('./operations/events.ts')).eventsOperationsByName,
    })
    return {
      operations: new Map([
        [pipesTarget, pipes],
        [eventsTarget, events],
      ]),
      begin: () => {
        watchPipes(context)
        return Promise.resolve()
      },
    }
  }
}
