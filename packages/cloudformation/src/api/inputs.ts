/** Inputs, after their shapes have been checked. */
export interface SentParameter {
  readonly ParameterKey?: string
  readonly ParameterValue?: string
  readonly UsePreviousValue?: boolean
}

export interface SentTag {
  readonly Key: string
  readonly Value: string
}

/** What a stack is asked to be. */
export interface SentStack {
  readonly StackName: string
  readonly TemplateBody?: string
  readonly TemplateURL?: string
  readonly UsePreviousTemplate?: boolean
  readonly Parameters?: readonly SentParameter[]
  readonly Tags?: readonly SentTag[]
  readonly Capabilities?: readonly string[]
  readonly RoleARN?: string
  readonly NotificationARNs?: readonly string[]
  readonly DisableRollback?: boolean
  readonly OnFailure?: 'DO_NOTHING' | 'ROLLBACK' | 'DELETE'
  readonly EnableTerminationProtection?: boolean
  readonly ClientRequestToken?: string
}

export interface SentChangeSet extends SentStack {
  readonly ChangeSetName: string
  readonly ChangeSetType?: 'CREATE' | 'UPDATE' | 'IMPORT'
  readonly Description?: string
  readonly OnStackFailure?: 'DO_NOTHING' | 'ROLLBACK' | 'DELETE'
}
