import { useTimeToLive } from '../../../api/queries.ts'
import { isOnDemand, schemaKeys, sourcesOf } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { Facts, Panel } from '../../../components/page/page.tsx'
import { formatAgo, formatBytes, formatCount, formatTime, formatUnits, plural } from '../../../values/format.ts'
import { scanUnits } from '../../../values/units.ts'
import { KeyLine } from './key-line.tsx'

/** What a table is, at a glance. */
export function Overview({ table }: { readonly table: TableDescription }) {
  const ttl = useTimeToLive(table.TableName).data
  const average = table.ItemCount === 0 ? undefined : table.TableSizeBytes / table.ItemCount
  return (
    <div className="detail is-even">
      <Panel title="Key">
        <KeyLine table={table} keys={schemaKeys(table.KeySchema)} />
      </Panel>
      <Panel title="Size" className="is-third" hint="Without indexes">
        <Facts
          facts={[
            ['Items', <span className="number">{formatCount(table.ItemCount)}</span>],
            ['Size', formatBytes(table.TableSizeBytes)],
            ['Average item', average === undefined ? '–' : formatBytes(Math.round(average))],
            [
              'Full scan',
              table.ItemCount === 0 ? '–' : `${formatUnits(scanUnits(table.TableSizeBytes))} read units`,
            ],
          ]}
        />
      </Panel>
      <Panel title="Settings" className="is-third">
        <Facts
          facts={[
            [
              'Capacity',
              isOnDemand(table)
                ? 'on-demand'
                : `${formatCount(table.ProvisionedThroughput?.ReadCapacityUnits ?? 0)} read, ${formatCount(table.ProvisionedThroughput?.WriteCapacityUnits ?? 0)} write`,
            ],
            ['Class', (table.TableClassSummary?.TableClass ?? 'STANDARD').toLowerCase().replaceAll('_', ' ')],
            ['Stream', streamText(table)],
            ['Time to live', ttl?.AttributeName ?? 'off'],
            ['Deletion', table.DeletionProtectionEnabled === true ? 'protected' : 'allowed'],
            [
              'Created',
              <span title={formatTime(table.CreationDateTime)}>{formatAgo(table.CreationDateTime)}</span>,
            ],
          ]}
        />
      </Panel>
      <Panel title="Storage" className="is-third" hint="The table, and the copies in its indexes">
        <SourceBars table={table} />
      </Panel>
      <Panel title="Names">
        <dl className="name-lines">
          <dt>ARN</dt>
          <Copied text={table.TableArn} />
          {table.LatestStreamArn !== undefined && (
            <>
              <dt>Stream</dt>
              <Copied text={table.LatestStreamArn} />
            </>
          )}
        </dl>
      </Panel>
    </div>
  )
}

function Copied({ text }: { readonly text: string }) {
  return (
    <dd className="copy-line">
      <code>{text}</code>
      <CopyButton text={text} />
    </dd>
  )
}

function SourceBars({ table }: { readonly table: TableDescription }) {
  const sources = sourcesOf(table)
  const most = Math.max(1, ...sources.map(({ sizeBytes }) => sizeBytes))
  return (
    <ul className="source-bars">
      {sources.map(({ indexName, sizeBytes, itemCount }) => (
        <li key={indexName ?? ''}>
          <div className="row">
            <span className="grow truncate">{indexName ?? 'the table'}</span>
            <span className="muted number">
              {plural(itemCount, 'item')} · {formatBytes(sizeBytes)}
            </span>
          </div>
          <div className="source-bar-track" aria-hidden>
            <div className="source-bar-fill" style={{ width: `${String((100 * sizeBytes) / most)}%` }} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function streamText({ StreamSpecification: stream }: TableDescription): string {
  return stream?.StreamEnabled === true ? (stream.StreamViewType ?? 'on').toLowerCase().replaceAll('_', ' ') : 'off'
}
