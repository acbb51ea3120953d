import { useQuery } from '@tanstack/react-query'
import { Waves } from '../../icons/icons.generated.ts'
import { Link } from 'wouter'
import { scopeKey, useCall, useTableNames } from '../../api/queries.ts'
import { EmptyState, Waiting } from '../../components/messages/notices.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { TableLinks } from '../../components/page/table-links.tsx'
import { useLink } from '../../state/links.ts'
import { useScope } from '../../state/scope.tsx'
import { formatTime, plural } from '../../values/format.ts'

interface ListedStream {
  readonly StreamArn: string
  readonly StreamLabel: string
  readonly TableName: string
}

/** The tables that have a stream, and those that could. */
export function StreamList() {
  const { data: streams, error, refetch } = useStreams()
  const { data, error: namesError } = useTableNames()
  // Whoever may not list tables may still see streams.
  const names = namesError === null ? data : []
  const link = useLink()
  if (streams === undefined || names === undefined) {
    return (
      <Page title="Streams">
        <Waiting error={error} onRetry={refetch} lines={5} />
      </Page>
    )
  }
  const streamed = new Map(streams.map((stream) => [stream.TableName, stream]))
  const others = names.filter((name) => !streamed.has(name))
  return (
    <Page title="Streams" aside={plural(streamed.size, 'table')}>
      <div className="stack">
        {streamed.size === 0 && (
          <EmptyState
            icon={<Waves />}
            title="No table has a stream"
            actions={
              names.length === 0 && <Link href={link('tables', undefined, { create: true })}>Create a table</Link>
            }
          >
            A stream records every change to a table’s items, in order, for 24 hours. It feeds search indexes,
            caches, counters and Lambda functions. {others.length > 0 && 'Choose a table to turn on its stream.'}
          </EmptyState>
        )}
        {streamed.size > 0 && (
          <Panel title="Tables with a stream" hint="Choose one to see its changes as they happen.">
            <ul className="stream-cards" aria-label="Tables with a stream">
              {[...streamed.values()].map(({ TableName, StreamLabel }) => (
                <li key={TableName}>
                  <Link className="stream-card" href={link('streams', TableName)}>
                    <Waves aria-hidden />
                    <span className="grow truncate">{TableName}</span>
                    <span className="muted number">since {formatTime(Date.parse(`${StreamLabel}Z`) / 1000)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        {others.length > 0 && (
          <Panel title="Tables without a stream" hint="Choose one to turn on its stream.">
            <TableLinks view="streams" tables={others} label="Tables without a stream" />
          </Panel>
        )}
      </div>
    </Page>
  )
}

function useStreams() {
  const call = useCall()
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'streams'],
    queryFn: async ({ signal }) => {
      const streams: ListedStream[] = []
      let after: string | undefined
      do {
        const page: { readonly Streams: readonly ListedStream[]; readonly LastEvaluatedStreamArn?: string } =
          await call('ListStreams', after === undefined ? {} : { ExclusiveStartStreamArn: after }, signal)
        streams.push(...page.Streams)
        after = page.LastEvaluatedStreamArn
      } while (after !== undefined)
      return streams
    },
  })
}
