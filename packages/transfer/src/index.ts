export { FolderBuckets } from './buckets/folder-buckets.ts'
export { openS3Buckets, S3Buckets, type S3Options } from './buckets/s3-buckets.ts'
