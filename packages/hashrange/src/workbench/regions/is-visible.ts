/** Whether whoever asks may do this with a replica. */
export type IsVisible = (region: string, operation: 'DescribeTable' | 'Scan', tableName: string) => boolean
