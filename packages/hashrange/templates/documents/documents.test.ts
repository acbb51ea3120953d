import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { documents } from './documents.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('saving keeps what was there, and nobody overwrites what they have not seen', async () => {
  const { db, close } = await testDatabase(documents)
  try {
    const [documentId, folderId, editedBy] = [id(1), id(2), id(3)]
    const { item: first } = await db.Document.create({ documentId, folderId, title: 'Plan', body: 'one', editedBy })
    const save = (body: string): Promise<unknown> =>
      db.save((t) => [
        t.Document.put({ ...first, body }),
        t.Revision.create({ documentId, number: first.version, title: first.title, body: first.body, editedBy }),
      ])
    await save('two')
    await expect(save('three')).rejects.toThrow()
    expect((await db.getDocument({ documentId })).item?.body).toBe('two')
    expect((await db.revisions({ documentId })).items.Revision.map(({ body }) => body)).toEqual(['one'])
    expect((await db.documentsInFolder({ folderId })).items.Document).toHaveLength(1)
  } finally {
    await close()
  }
})
