export { compareCosts } from './compare-costs.ts'
export type { CostChange, CostComparison, CostDifference } from './compare-costs.ts'
export { costModel, costOf } from './cost-model.ts'
export type { CostOptions } from './cost-model.ts'
export { comparisonText, costText } from './cost-text.ts'
export type {
  BreakEven,
  Charges,
  ModelCharges,
  ModelCost,
  OtherCost,
  PatternCost,
  ReservedCost,
  StorageCost,
} from './model-cost.ts'
export { replicaPrices } from './other-costs.ts'
export type { CostExtras } from './other-costs.ts'
export { findPrices, knownRegions, newerPrices, priceListAddress, priceWarning } from './prices/find-prices.ts'
export type { PriceWarning } from './prices/find-prices.ts'
export { classPrices } from './prices/price-sheet.ts'
export type { ClassPrices, FeaturePrices, PriceSheet, ReservedPrices } from './prices/price-sheet.ts'
export { isPriceList, readPriceList } from './prices/read-price-list.ts'
export { readPriceSheet } from './prices/read-price-sheet.ts'
export { costRecorded } from './recorded/cost-recorded.ts'
export type { RecordedCostOptions } from './recorded/cost-recorded.ts'
export type {
  Demand,
  RecordedCost,
  RecordedPlaceCost,
  RecordedTableCost,
  WaysToPay,
  WayToPay,
} from './recorded/recorded-cost.ts'
export { recordedText } from './recorded/recorded-text.ts'
export type { RecordedPlace, RecordedTable, RecordedTraffic } from './recorded/recorded-traffic.ts'
export { simulateAutoScaling } from './recorded/simulate-auto-scaling.ts'
export type { ScaledCapacity, ScalingSettings } from './recorded/simulate-auto-scaling.ts'
