import type { Finding } from '../finding.ts'
import type { ReviewContext } from './review-context.ts'

/** Two forms cost more to read and to write than one. */
export function reviewPredecessors(context: ReviewContext): Finding[] {
  return context.model.model.entities.flatMap((entity): Finding[] => {
    const { was } = entity
    if (was === undefined) return []
    return [
      {
        code: 'predecessor',
        severity: 'note',
        where: context.atEntity(entity),
        reason: `${entity.name} says what it was before (was), so clients read both forms, and write those that migrating({ writes }) names.`,
        remedy: `Migrate the table and verify it. When nothing is left in the old form, and every client has migrating({ writes: 'new' }), remove was.`,
      },
    ]
  })
}
