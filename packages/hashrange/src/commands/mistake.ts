/** What somebody typed cannot be done; the message says what to type instead. */
export class Mistake extends Error {}
