import { entity, model, s } from '../../index.ts'
import type { Patterns } from '../../model/model.ts'
import type { PatternMaker } from '../../model/patterns.ts'

const User = entity('User', { userId: s.ulid(), name: s.string() }).key({ pk: 'USER#{userId}', sk: 'PROFILE' })
const Note = entity('Note', {
  userId: s.ulid(),
  noteId: s.ulid(),
  colour: s.enum('red', 'green', 'blue', 'white'),
  text: s.string().size(300),
})
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId}' })
  .volume({ perPartition: 40, maxPerPartition: 1000 })

type NotesMaker = PatternMaker<{ User: typeof User; Note: typeof Note }>

/** Users and their notes, with these patterns. */
export function notesModel(patterns: (p: NotesMaker) => Patterns) {
  return model({ name: 'notes', owner: 'team', entities: { User, Note }, patterns })
}
