export { HashrangeContainer } from './hashrange-container.ts'
export type { StartedHashrangeContainer } from './hashrange-container.ts'
export { containerPlan } from './container-plan.ts'
export type { ContainerPlan, HashrangeContainerOptions } from './container-plan.ts'
