/** A mistake in what somebody typed; the message says what to type instead. */
export class Mistake extends Error {}
