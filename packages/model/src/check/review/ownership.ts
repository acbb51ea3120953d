import type { Finding } from '../finding.ts'
import type { ReviewContext } from './review-context.ts'

/** A pattern without an owner is one that nobody dares to change. */
export function reviewOwnership(context: ReviewContext): Finding[] {
  const { model } = context.model
  if (model.owner !== undefined) return []
  const unowned = model.patterns.filter(({ owner, entities }) => {
    const owners = entities.flatMap((kind) => context.model.ownerOf(kind)?.owner ?? [])
    return owner === undefined && owners.length === 0
  })
  // The same sentence for each of forty patterns would only bury the others.
  if (unowned.length > 1 && unowned.length === model.patterns.length) {
    return [
      {
        code: 'unowned-pattern',
        severity: 'note',
        where: { kind: 'model', name: model.name },
        reason: `None of its ${unowned.length} patterns has an owner.`,
        remedy: `Name the team that owns the model: set owner in the model, or per pattern or entity.`,
      },
    ]
  }
  return unowned.map((pattern) => ({
    code: 'unowned-pattern',
    severity: 'note',
    where: context.atPattern(pattern),
    reason: `Neither the pattern nor its entities nor the model name an owner.`,
    remedy: `Name the team that owns it: set owner in the pattern or the model, or use .owner() on the entity.`,
  }))
}
