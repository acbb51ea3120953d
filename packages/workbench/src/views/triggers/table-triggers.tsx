import { Link } from 'wouter'
import { ApiError } from '../../api/api.ts'
import { ErrorBox, Notice, Waiting } from '../../components/messages/notices.tsx'
import { BackTitle } from '../../components/page/back-title.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { useLink } from '../../state/links.ts'
import { oneOf, text, useUrlState } from '../../state/url-state.ts'
import { plural } from '../../values/format.ts'
import { ConsumerPanel } from './consumer/consumer-panel.tsx'
import { consumerTabs } from './consumer/consumer-tabs.ts'
import { FlowPicture } from './flow/flow-picture.tsx'
import { Denied, NoConsumers } from './trigger-list.tsx'
import { useEvents } from './use-events.ts'

const schema = { consumer: text(), tab: oneOf(consumerTabs, 'batches') }

/** The consumers of one table: the picture, and all about the one that is chosen. */
export function TableTriggers({ table: name }: { readonly table: string }) {
  const link = useLink()
  const { data, error, refetch } = useEvents(name)
  const [{ consumer: chosenId, tab }, setState] = useUrlState(schema)
  const title = (
    <BackTitle href={link('triggers')} backTo="All triggers">
      Triggers of {name}
    </BackTitle>
  )
  const table = data?.tables[0]
  if (data === undefined || table === undefined) {
    return (
      <Page title={title}>
        {data === undefined ? (
          <Waiting error={error} onRetry={refetch} lines={6} />
        ) : (
          <ErrorBox error={new ApiError('ResourceNotFoundException', `There is no table “${name}” here.`, 400)} />
        )}
      </Page>
    )
  }
  const { consumers, stream } = table
  const chosen = consumers.find(({ id }) => id === chosenId) ?? consumers[0]
  return (
    <Page title={title} aside={consumers.length > 0 && plural(consumers.length, 'consumer')}>
      <div className="stack">
        {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
        <Denied overview={data} />
        {stream === null && (
          <Notice actions={<Link href={link('streams', name)}>Turn on the stream</Link>}>
            The table has no stream, so triggers and pipes have nothing to read.
          </Notice>
        )}
        {(consumers.length > 0 || stream !== null) && (
          <Panel className="flow-panel">
            <FlowPicture
              table={table}
              chosen={chosen?.id ?? ''}
              onChoose={(id) => setState({ consumer: id }, { push: true })}
            />
          </Panel>
        )}
        {chosen === undefined ? (
          <NoConsumers />
        ) : (
          <ConsumerPanel
            key={chosen.id}
            consumer={chosen}
            streamArn={stream?.arn ?? ''}
            tab={tab}
            onTab={(next) => setState({ tab: next })}
          />
        )}
      </div>
    </Page>
  )
}
