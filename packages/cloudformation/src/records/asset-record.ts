/** ON DISK as JSON: an object of the bucket of assets. */
export interface AssetRecord {
  readonly bucket: string
  readonly key: string
  /** As base64. */
  readonly data: string
  readonly contentType: string
  readonly etag: string
  readonly modifiedAtMs: number
}
