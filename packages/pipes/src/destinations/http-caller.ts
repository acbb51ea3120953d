export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface HttpCaller {
  /** Why a URL may not be called; undefined if it may. */
  refusalOf(url: string): string | undefined
  /** What went wrong, if anything did. */
  call(call: HttpCall): Promise<string | undefined>
  /** The same, and returns what was answered. */
  ask(call: HttpCall): Promise<{ readonly failure: string } | { readonly body: string }>
}
