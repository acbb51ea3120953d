import type { Engine } from '@hashrange/engine'
import { ApiRefusal } from '../api-handler.ts'
import type { Visitors } from './visitors.ts'
import { unlimitedVisitor } from './visitor.ts'

/** The visitors of an open server: with the token of its start, everybody may do everything. */
export function visitorsWithToken(engine: Engine, isToken: (sent: string | undefined) => boolean): Visitors {
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
