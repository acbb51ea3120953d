import { Pause, Play } from '../../../icons/icons.generated.ts'
import type {
  Consumer,
  KinesisConsumer,
  MappingConsumer,
  PipeConsumer,
  WebhookConsumer,
} from '../../../answers/events.ts'
import { useCall, useInfo, useRefresh } from '../../../api/queries.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Tabs } from '../../../components/controls/tabs.tsx'
import { ErrorBox, Notice } from '../../../components/messages/notices.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { Facts, Panel } from '../../../components/page/page.tsx'
import { formatAgo, formatCount, formatMs } from '../../../values/format.ts'
import { kindNames, nameOf, waitingText } from '../consumer-state.ts'
import { Batches } from './batches.tsx'
import type { ConsumerTab } from './consumer-tabs.ts'
import { FunctionLogView } from './function-log-view.tsx'
import { FunctionMetrics } from './function-metrics.tsx'
import { MappingSettings } from './mapping-settings.tsx'
import { ReplayRecords } from './replay-records.tsx'

/** All about the chosen consumer. */
export function ConsumerPanel({
  consumer,
  streamArn,
  tab,
  onTab,
}: {
  readonly consumer: Consumer
  readonly streamArn: string
  readonly tab: ConsumerTab
  readonly onTab: (tab: ConsumerTab) => void
}) {
  switch (consumer.kind) {
    case 'mapping':
      return <MappingPanel consumer={consumer} streamArn={streamArn} tab={tab} onTab={onTab} />
    case 'pipe':
      return <PipePanel consumer={consumer} />
    case 'kinesis':
      return <KinesisPanel consumer={consumer} />
    case 'webhook':
      return <WebhookPanel consumer={consumer} />
  }
}

function MappingPanel({
  consumer,
  streamArn,
  tab,
  onTab,
}: {
  readonly consumer: MappingConsumer
  readonly streamArn: string
  readonly tab: ConsumerTab
  readonly onTab: (tab: ConsumerTab) => void
}) {
  const { figures, functionName, isEnabled, isDeclared, lastResult, waiting } = consumer
  const failure = figures?.lastFailure
  return (
    <Panel
      title={
        <>
          {kindNames.mapping} <code>{functionName}</code>
        </>
      }
      hint={isDeclared ? 'Declared where the server was started, so it can only be changed there.' : undefined}
      actions={
        <EnableButton
          isEnabled={isEnabled}
          isFixed={isDeclared}
          name="trigger"
          change={(enable) => ['UpdateEventSourceMapping', { UUID: consumer.id, Enabled: enable }]}
        />
      }
    >
      <div className="stack trigger-tabs">
        <Facts
          facts={[
            ['Lag', waitingText(consumer)],
            ['Shards', formatCount(waiting.shards)],
            ['Age at the last batch', figures === null ? '–' : formatMs(figures.iteratorAgeMs)],
            ['Calls', formatCount(figures?.calls ?? 0)],
            ['Failed calls', formatCount(figures?.failures ?? 0)],
            ['Retries', formatCount(figures?.retries ?? 0)],
            ['Records done', formatCount(figures?.records ?? 0)],
            ['Filtered out', formatCount(figures?.filtered ?? 0)],
            ['Given up', formatCount(figures?.discarded ?? 0)],
            ['Last result', lastResult],
          ]}
        />
        {failure !== undefined && failure !== null && (
          <Notice tone="warning" title={`Last error, ${formatAgo(failure.atMs / 1000)}`}>
            <span className="trigger-error mono">{failure.message}</span>
          </Notice>
        )}
        <Tabs
          label="Trigger"
          value={tab}
          onChange={onTab}
          tabs={[
            {
              value: 'batches',
              label: 'Batches',
              content: (
                <Batches batches={figures?.batches ?? []} functionName={functionName} streamArn={streamArn} />
              ),
            },
            {
              value: 'replay',
              label: 'Replay',
              content: <ReplayRecords functionName={functionName} streamArn={streamArn} />,
            },
            { value: 'log', label: 'Log', content: <FunctionLogView functionName={functionName} /> },
            { value: 'metrics', label: 'Metrics', content: <FunctionMetrics functionName={functionName} /> },
            { value: 'settings', label: 'Settings', content: <MappingSettings settings={consumer.settings} /> },
          ]}
        />
      </div>
    </Panel>
  )
}

function PipePanel({ consumer }: { readonly consumer: PipeConsumer }) {
  const { name, problem, targetArn, enrichmentArn, isEnabled } = consumer
  return (
    <Panel
      title={
        <>
          {kindNames.pipe} <code>{name}</code>
        </>
      }
      actions={
        <EnableButton
          isEnabled={isEnabled}
          isFixed={false}
          name="pipe"
          change={(enable) => [enable ? 'StartPipe' : 'StopPipe', { Name: name }]}
        />
      }
    >
      <div className="stack">
        {problem !== null && (
          <Notice tone="warning" title="The last batch failed, and is tried again">
            <span className="trigger-error mono">{problem}</span>
          </Notice>
        )}
        <Facts
          facts={[
            ['State', isEnabled ? 'running' : 'stopped'],
            ['Enrichment', enrichmentArn ?? 'none'],
            ['Target', targetArn],
          ]}
        />
      </div>
    </Panel>
  )
}

function KinesisPanel({ consumer: { streamArn, status, problem } }: { readonly consumer: KinesisConsumer }) {
  return (
    <Panel title={kindNames.kinesis}>
      <div className="stack">
        {problem !== null && <Notice tone="warning">{problem}</Notice>}
        <Facts
          facts={[
            ['Status', status.toLowerCase()],
            ['Stream', streamArn],
          ]}
        />
      </div>
    </Panel>
  )
}

function WebhookPanel({ consumer }: { readonly consumer: WebhookConsumer }) {
  const { delivered, lastDeliveredAtMs, problem, status } = consumer
  return (
    <Panel
      title={
        <>
          {kindNames.webhook} <code>{nameOf(consumer)}</code>
        </>
      }
      hint="Declared where the server was started. Its path is not shown, because it may contain a secret."
    >
      <div className="stack">
        {problem !== null && (
          <Notice tone="warning" title={status === 'DISABLED' ? 'It failed for too long' : 'It is tried again'}>
            {problem}
          </Notice>
        )}
        <Facts
          facts={[
            ['Status', status.toLowerCase()],
            ['Changes delivered', formatCount(delivered)],
            ['Last delivery', lastDeliveredAtMs === null ? 'none yet' : formatAgo(lastDeliveredAtMs / 1000)],
          ]}
        />
      </div>
    </Panel>
  )
}

/** Stops a consumer where it is, or lets it go on from there. */
function EnableButton({
  isEnabled,
  isFixed,
  name,
  change,
}: {
  readonly isEnabled: boolean
  readonly isFixed: boolean
  readonly name: string
  readonly change: (enable: boolean) => readonly [operation: string, input: object]
}) {
  const call = useCall()
  const refresh = useRefresh()
  const isReadOnly = useInfo()?.readOnly === true
  const { attempt, isBusy, error } = useAttempt()
  if (isFixed) return null
  const run = (): Promise<boolean> =>
    attempt(async () => {
      await call(...change(!isEnabled))
      await refresh()
    })
  return (
    <div className="trigger-enable">
      <Button
        icon={isEnabled ? <Pause /> : <Play />}
        isBusy={isBusy}
        disabled={isReadOnly}
        title={isReadOnly ? 'This workbench is read-only.' : undefined}
        onClick={() => void run()}
      >
        {isEnabled ? 'Disable' : 'Enable'} the {name}
      </Button>
      {error !== undefined && <ErrorBox error={error} />}
    </div>
  )
}
