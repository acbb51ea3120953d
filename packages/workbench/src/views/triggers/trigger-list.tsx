import { Zap } from '../../icons/icons.generated.ts'
import { Link } from 'wouter'
import type { Consumer, EventsOverview, TableEvents } from '../../answers/events.ts'
import { EmptyState, Notice, Waiting } from '../../components/messages/notices.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { PlainTable } from '../../components/page/plain-table.tsx'
import { TableLinks } from '../../components/page/table-links.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { useLink } from '../../state/links.ts'
import { plural } from '../../values/format.ts'
import { kindNames, nameOf, stateOf } from './consumer-state.ts'
import { useEvents } from './use-events.ts'

/** All consumers of all tables: where something fails, and what is behind. */
export function TriggerList() {
  const { data, error, refetch } = useEvents()
  if (data === undefined) {
    return (
      <Page title="Triggers">
        <Waiting error={error} onRetry={refetch} lines={5} />
      </Page>
    )
  }
  const consumed = data.tables.filter(({ consumers }) => consumers.length > 0)
  const others = data.tables.filter(({ consumers }) => consumers.length === 0)
  const count = consumed.reduce((sum, { consumers }) => sum + consumers.length, 0)
  return (
    <Page title="Triggers" aside={count > 0 && plural(count, 'consumer')}>
      <div className="stack">
        <Denied overview={data} />
        {consumed.length === 0 ? (
          <NoConsumers />
        ) : (
          <Panel>
            <ConsumerTable tables={consumed} />
          </Panel>
        )}
        {others.length > 0 && (
          <Panel title="Streams that nothing reads here" hint="Other programs may still read them.">
            <TableLinks
              view="triggers"
              tables={others.map(({ tableName }) => tableName)}
              label="Streams that nothing reads here"
            />
          </Panel>
        )}
      </div>
    </Page>
  )
}

export function Denied({ overview: { denied } }: { readonly overview: EventsOverview }) {
  if (denied.length === 0) return null
  return (
    <Notice tone="warning" title="Some consumers are not shown">
      {denied.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}

export function NoConsumers() {
  return (
    <EmptyState icon={<Zap />} title="Nothing reads the changes of your tables yet">
      Start hashrange with a function and a trigger, such as{' '}
      <code>--function on-order=functions/on-order.handler --trigger Orders=on-order</code>, or create an event
      source mapping with Lambda’s API. Pipes, Kinesis destinations and webhooks appear here as well.
    </EmptyState>
  )
}

function ConsumerTable({ tables }: { readonly tables: readonly TableEvents[] }) {
  const link = useLink()
  const rows = tables.flatMap(({ tableName, consumers }) => consumers.map((consumer) => ({ tableName, consumer })))
  return (
    <PlainTable
      label="Consumers"
      rows={rows}
      keyOf={({ tableName, consumer }) => `${tableName} ${consumer.kind} ${consumer.id}`}
      columns={[
        {
          title: 'Table',
          cell: ({ tableName, consumer }) => (
            <Link className="plain-name" href={link('triggers', tableName, { consumer: consumer.id })}>
              {tableName}
            </Link>
          ),
        },
        {
          title: 'Consumer',
          cell: ({ consumer }) => (
            <>
              <span className="muted">{kindNames[consumer.kind]}</span> {nameOf(consumer)}
            </>
          ),
        },
        {
          title: 'State',
          cell: ({ consumer }) => (
            <Badge tone={stateOf(consumer).tone}>
              <span className="badge-dot" aria-hidden />
              {stateOf(consumer).word}
            </Badge>
          ),
        },
        { title: 'Now', kind: 'number', cell: ({ consumer }) => stateOf(consumer).line },
        { title: 'Calls', kind: 'figure', cell: ({ consumer }) => figuresOf(consumer)?.calls ?? '–' },
        { title: 'Failed', kind: 'figure', cell: ({ consumer }) => figuresOf(consumer)?.failures ?? '–' },
      ]}
    />
  )
}

function figuresOf(consumer: Consumer) {
  return consumer.kind === 'mapping' ? consumer.figures : null
}
