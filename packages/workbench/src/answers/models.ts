import type { ModelDescription } from '@hashrange/model'

/** A model file that the server follows while it is edited. While it is broken, the models are the last valid ones. */
export interface ModelFile {
  /** Relative to the working directory if it is below it; identifies the file in all requests. */
  readonly file: string
  readonly path: string
  /** Whether the command line named it, or the page loaded it. */
  readonly origin: 'command-line' | 'page'
  /** Of the content, imports included. */
  readonly digest: string
  /** Seconds since 1970, of the last change that was noticed. */
  readonly loadedAt: number
  readonly isLoading: boolean
  readonly error: ModelFileError | null
  readonly models: readonly DescribedModel[]
}

export interface ModelFileError {
  readonly message: string
  readonly line: number | null
  readonly column: number | null
}

/** One model of a file, under the name by which it is imported. */
export interface DescribedModel {
  readonly exportName: string
  readonly description: ModelDescription
}

/** What the loaded models say of a table's items. */
export interface ModelledEntities {
  /** In the order of the model, which is that of their colours. */
  readonly names: readonly string[]
  /** The attribute that says which one an item is. */
  readonly discriminator: string
}

/** A model file as text. */
export interface ModelSource {
  readonly text: string
  /** Of this text. */
  readonly digest: string
}

/** What a text would come to as a model file: what `models/check` and `models/cost` answer, or what is wrong with it. */
export type DraftAnswer =
  | { readonly check: unknown; readonly cost: unknown; readonly problem?: undefined }
  | { readonly problem: ModelFileError; readonly check?: undefined; readonly cost?: undefined }

/** What the type checker says of a text as a model file. */
export interface TypeAnswer {
  /** Whether the model's project has one. */
  readonly isAvailable: boolean
  readonly problems: readonly TypeProblem[]
}

/** Lines and columns begin with 1. */
export interface TypeProblem {
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
}
