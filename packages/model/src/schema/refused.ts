/** What nothing is assignable to, so that the compiler shows the sentence. */
export interface Refused<Sentence extends string, ThereAre = never> {
  readonly refused: Sentence
  readonly thereAre: ThereAre
}
