import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/api.ts'
import { scopeKey, useCall, useRefresh } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Facts, Panel } from '../../../components/page/page.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useScope } from '../../../state/scope.tsx'
import type { TagDraft } from '../create/table-draft.ts'
import { TagFields } from '../tag-fields.tsx'
import { tagChanges, tagsProblem } from './tag-changes.ts'

/** Keys and values that group tables in bills and tools. */
export function Tags({ table, isReadOnly }: { readonly table: TableDescription; readonly isReadOnly: boolean }) {
  const { data: tags, error } = useTags(table.TableArn)
  return (
    <div className="detail">
      <Panel title="Tags" hint="Keys and values that group tables in bills and tools">
        {error !== null && <ErrorBox error={error} />}
        {tags === undefined ? (
          <Skeleton />
        ) : isReadOnly ? (
          <Facts facts={tags.map(({ key, value }) => [key, value])} />
        ) : (
          <TagForm key={JSON.stringify(tags)} arn={table.TableArn} tags={tags} />
        )}
      </Panel>
    </div>
  )
}

function TagForm({ arn, tags }: { readonly arn: string; readonly tags: readonly TagDraft[] }) {
  const [edited, setEdited] = useState(tags)
  const { attempt, isBusy, error } = useAttempt()
  const ask = useCall()
  const refresh = useRefresh()
  const problem = tagsProblem(edited)
  const { set, removed } = tagChanges(tags, edited)
  const isChanged = set.length > 0 || removed.length > 0
  const save = (): Promise<boolean> =>
    attempt(async () => {
      if (removed.length > 0) await ask('UntagResource', { ResourceArn: arn, TagKeys: removed })
      if (set.length > 0) {
        await ask('TagResource', {
          ResourceArn: arn,
          Tags: set.map(({ key, value }) => ({ Key: key, Value: value })),
        })
      }
      await refresh()
      tell('Tags saved')
    })
  return (
    <div className="detail-form">
      {error !== undefined && <ErrorBox error={error} />}
      <TagFields tags={edited} onChange={setEdited} />
      {problem !== undefined && <p className="field-error">{problem}</p>}
      <Button
        tone="primary"
        isBusy={isBusy}
        disabled={!isChanged || problem !== undefined}
        onClick={() => void save()}
      >
        Save tags
      </Button>
    </div>
  )
}

function useTags(arn: string) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'tags', arn],
    queryFn: async ({ signal }): Promise<TagDraft[]> => {
      const { Tags: tags = [] } = await call<{ Tags?: { Key: string; Value: string }[] }>(
        scope,
        'ListTagsOfResource',
        { ResourceArn: arn },
        signal,
      )
      return tags.map(({ Key, Value }) => ({ key: Key, value: Value }))
    },
  })
}
