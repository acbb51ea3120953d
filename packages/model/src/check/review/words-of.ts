/** A name as its words: `tenantId` and `tenant-id` are `tenant_id`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.\s]+/g, '_')
    .toLowerCase()
}
