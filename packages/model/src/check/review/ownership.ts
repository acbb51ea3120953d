import type { Finding } from '../finding.ts'
import type { ReviewContext } from './review-context.ts'

/** A pattern without an owner is one that nobody dares to change. */
export function reviewOwnership(context: ReviewContext): Finding[] {
  const { model } = context.model
  if (model.owner !== undefined) return []
  return model.patterns.flatMap((pattern): Finding[] => {
    const owners = pattern.entities.flatMap((kind) => context.model.ownerOf(kind)?.owner ?? [])
    if (pattern.owner !== undefined || owners.length > 0) return []
    return [
      {
        code: 'unowned-pattern',
        severity: 'note',
        where: context.atPattern(pattern),
        reason: `Neither the pattern nor its entities nor the model name an owner.`,
        remedy: `Name the team that owns it: set owner in the pattern or the model, or use .owner() on the entity.`,
      },
    ]
  })
}
