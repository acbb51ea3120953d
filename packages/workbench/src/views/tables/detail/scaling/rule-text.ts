/** What a rule of Contributor Insights ranks: `DynamoDBContributorInsights-PKC-shop-1700000000000`. */
export function ruleText(ruleName: string): string {
  const [, kind = ''] = /^DynamoDBContributorInsights-([A-Z]+)-/.exec(ruleName) ?? []
  return kinds[kind] ?? ruleName
}

const kinds: Readonly<Record<string, string>> = {
  PKC: 'Most used partition keys',
  SKC: 'Most used items',
  PKT: 'Most throttled partition keys',
  SKT: 'Most throttled items',
}
