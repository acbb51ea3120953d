import type { CreateTableInput } from './table-inputs.ts'

/** The inputs of exports and imports, as `readInput` returns them. */
export interface TransferInputs {
  readonly ExportTableToPointInTime: ExportTableToPointInTimeInput
  readonly DescribeExport: DescribeExportInput
  readonly ListExports: ListExportsInput
  readonly ImportTable: ImportTableInput
  readonly DescribeImport: DescribeImportInput
  readonly ListImports: ListImportsInput
}

export interface ExportTableToPointInTimeInput {
  readonly TableArn: string
  readonly ExportTime?: number
  readonly ClientToken?: string
  readonly S3Bucket: string
  readonly S3BucketOwner?: string
  readonly S3Prefix?: string
  readonly S3SseAlgorithm?: 'AES256' | 'KMS'
  readonly S3SseKmsKeyId?: string
  readonly ExportFormat?: 'DYNAMODB_JSON' | 'ION'
  readonly ExportType?: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
  readonly IncrementalExportSpecification?: {
    readonly ExportFromTime?: number
    readonly ExportToTime?: number
    readonly ExportViewType?: 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES'
  }
}

export interface DescribeExportInput {
  readonly ExportArn: string
}

export interface ListExportsInput {
  readonly TableArn?: string
  readonly MaxResults?: number
  readonly NextToken?: string
}

export interface ImportTableInput {
  readonly ClientToken?: string
  readonly S3BucketSource: S3BucketSourceInput
  readonly InputFormat: 'DYNAMODB_JSON' | 'ION' | 'CSV'
  readonly InputFormatOptions?: {
    readonly Csv?: { readonly Delimiter?: string; readonly HeaderList?: readonly string[] }
  }
  readonly InputCompressionType?: 'GZIP' | 'ZSTD' | 'NONE'
  readonly TableCreationParameters: TableCreationParametersInput
}

export interface S3BucketSourceInput {
  readonly S3BucketOwner?: string
  readonly S3Bucket: string
  readonly S3KeyPrefix?: string
}

export type TableCreationParametersInput = Pick<
  CreateTableInput,
  | 'TableName'
  | 'AttributeDefinitions'
  | 'KeySchema'
  | 'BillingMode'
  | 'ProvisionedThroughput'
  | 'OnDemandThroughput'
  | 'SSESpecification'
  | 'GlobalSecondaryIndexes'
  | 'VectorIndexes'
>

export interface DescribeImportInput {
  readonly ImportArn: string
}

export interface ListImportsInput {
  readonly TableArn?: string
  readonly PageSize?: number
  readonly NextToken?: string
}
