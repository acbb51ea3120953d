import { useQuery } from '@tanstack/react-query'
import { isDenied, type Call } from '../../../api/api.ts'
import { scopeKey, useCall } from '../../../api/queries.ts'
import { useScope } from '../../../state/scope.tsx'

// The service's own shapes, as far as the page reads them. Times are seconds since 1970.

interface Transfer {
  readonly StartTime: number
  readonly EndTime?: number
  readonly FailureCode?: string
  readonly FailureMessage?: string
}

export interface TableExport extends Transfer {
  readonly ExportArn: string
  readonly ExportStatus: TransferStatus
  readonly ExportType: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
  readonly ExportFormat: string
  readonly S3Bucket: string
  readonly S3Prefix?: string
  readonly ExportManifest?: string
  readonly ItemCount?: number
  readonly BilledSizeBytes?: number
}

export interface TableImport extends Transfer {
  readonly ImportArn: string
  readonly ImportStatus: TransferStatus
  readonly TableArn: string
  readonly S3BucketSource: { readonly S3Bucket: string; readonly S3KeyPrefix?: string }
  readonly InputFormat: string
  readonly ProcessedItemCount?: number
  readonly ImportedItemCount?: number
  readonly ProcessedSizeBytes?: number
  readonly ErrorCount?: number
}

/** The formats of exports, by the service's names of them. */
export const exportFormats = [
  { value: 'DYNAMODB_JSON', label: 'DynamoDB JSON' },
  { value: 'ION', label: 'Amazon Ion' },
] as const

export function formatName(format: string): string {
  return exportFormats.find(({ value }) => value === format)?.label ?? format
}

export type TransferStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLING' | 'CANCELLED'

const quickMs = 700
const slowMs = 15_000
const mostShown = 50

/** The exports of a table, the newest first. While one runs, it is asked about again and again. */
export function useExports(tableArn: string) {
  const scope = useScope()
  const call = useCall()
  return useQuery({
    queryKey: [scopeKey(scope), 'exports', tableArn],
    queryFn: async ({ signal }) => {
      const { ExportSummaries } = await call<{
        readonly ExportSummaries: readonly Pick<TableExport, 'ExportArn'>[]
      }>('ListExports', { TableArn: tableArn, MaxResults: 25 }, signal)
      const found = await describeAll(ExportSummaries, async ({ ExportArn }) => {
        const answer = await call<{ readonly ExportDescription: TableExport }>(
          'DescribeExport',
          { ExportArn },
          signal,
        )
        return answer.ExportDescription
      })
      return found.toSorted((one, other) => other.StartTime - one.StartTime)
    },
    refetchInterval: ({ state }) =>
      pauseOf(
        state.error,
        state.data?.map(({ ExportStatus }) => ExportStatus),
      ),
  })
}

/** All imports, the newest first. */
export function useImports() {
  const scope = useScope()
  const call = useCall()
  return useQuery({
    queryKey: [scopeKey(scope), 'imports'],
    queryFn: async ({ signal }) => {
      const found = await describeAll(await listImports(call, signal), async ({ ImportArn }) => {
        const answer = await call<{ readonly ImportTableDescription: TableImport }>(
          'DescribeImport',
          { ImportArn },
          signal,
        )
        return answer.ImportTableDescription
      })
      return found.toSorted((one, other) => other.StartTime - one.StartTime)
    },
    refetchInterval: ({ state }) =>
      pauseOf(
        state.error,
        state.data?.map(({ ImportStatus }) => ImportStatus),
      ),
  })
}

async function listImports(call: Call, signal: AbortSignal): Promise<readonly Pick<TableImport, 'ImportArn'>[]> {
  const { ImportSummaryList } = await call<{
    readonly ImportSummaryList: readonly Pick<TableImport, 'ImportArn'>[]
  }>('ListImports', { PageSize: 25 }, signal)
  return ImportSummaryList
}

function describeAll<Summary, Entry>(
  summaries: readonly Summary[],
  describe: (summary: Summary) => Promise<Entry>,
): Promise<readonly Entry[]> {
  return Promise.all(summaries.slice(0, mostShown).map(describe))
}

function pauseOf(error: unknown, statuses: readonly TransferStatus[] = []): number | false {
  if (isDenied(error)) return false
  return statuses.includes('IN_PROGRESS') ? quickMs : slowMs
}
