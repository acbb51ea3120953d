export interface DescribeContributorInsightsInput {
  readonly TableName: string
  readonly IndexName?: string
}

export interface UpdateContributorInsightsInput {
  readonly TableName: string
  readonly IndexName?: string
  readonly ContributorInsightsAction: 'ENABLE' | 'DISABLE'
  readonly ContributorInsightsMode?: 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'
}

export interface ListContributorInsightsInput {
  readonly TableName?: string
  readonly NextToken?: string
  readonly MaxResults?: number
}
