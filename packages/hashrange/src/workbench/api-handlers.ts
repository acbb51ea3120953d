import { access } from './access/access.ts'
import type { ApiHandler } from './api-handler.ts'
import { connections } from './connections/connections-handler.ts'
import { copies } from './copies/copies-handler.ts'
import { dynamodb } from './dynamodb.ts'
import { entities } from './entities.ts'
import { events } from './events/events.ts'
import { heat } from './heat/heat.ts'
import { info } from './info.ts'
import { models } from './models/models.ts'
import { regions } from './regions/regions.ts'
import { keyScope } from './key-scope.ts'
import { tables } from './tables.ts'

/** What the page can request, by the first part of the path after `/_workbench/api/`. Each handler has its own file. */
export const apiHandlers: ReadonlyMap<string, ApiHandler> = new Map([
  ['info', info],
  ['access', access],
  ['scope-of-key', keyScope],
  ['connections', connections],
  ['copies', copies],
  ['dynamodb', dynamodb],
  ['entities', entities],
  ['events', events],
  ['heat', heat],
  ['models', models],
  ['regions', regions],
  ['tables', tables],
])
