/** One request, and what it does, as a phrase: "adds the index byEmail". */
export interface Step {
  readonly does: string
  /** The service, as requests name it; DynamoDB without one. */
  readonly target?: string
  readonly operation: string
  readonly input: object
  /** Where it is not the region of the template. */
  readonly region?: string
  /** Takes a replica away. */
  readonly isRemoval?: boolean
  /** Of a replica, which may be on another server. */
  readonly isElsewhere?: boolean
}

/** What has to be done for a resource to be as it is declared. */
export interface ResourcePlan {
  readonly kind: 'create' | 'update' | 'replace' | 'unchanged' | 'skipped'
  readonly steps: readonly Step[]
  /** Why nothing less than another resource will do, or why nothing is made. */
  readonly reason?: string | undefined
}

export function planOf(isThere: boolean, steps: readonly Step[]): ResourcePlan {
  return { kind: isThere ? (steps.length === 0 ? 'unchanged' : 'update') : 'create', steps }
}

export function skipped(reason: string): ResourcePlan {
  return { kind: 'skipped', steps: [], reason }
}
