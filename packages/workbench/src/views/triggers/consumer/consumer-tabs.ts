/** What is shown of a trigger; it stands in the address. */
export const consumerTabs = ['batches', 'replay', 'log', 'metrics', 'settings'] as const
export type ConsumerTab = (typeof consumerTabs)[number]
