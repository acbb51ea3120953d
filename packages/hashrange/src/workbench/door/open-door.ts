import type { Engine } from '@hashrange/engine'
import { ApiRefusal } from '../api-handler.ts'
import type { Door } from './door.ts'
import { unlimitedVisitor } from './visitor.ts'

/** The door of an open server: the token of its start opens it, to everything. */
export function openDoor(engine: Engine, isToken: (sent: string | undefined) => boolean): Door {
  const everybody = unlimitedVisitor(engine)
  return {
    visitorOf: ({ workbench }) => {
      if (isToken(workbench)) return everybody
      throw new ApiRefusal(
        401,
        'Locked',
        'Open the workbench at the address that hashrange printed when it started. The address ends in #token=…',
      )
    },
  }
}
