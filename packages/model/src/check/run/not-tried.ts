/** A pattern could not be tried, which says nothing about the pattern. The message says why, to follow "because". */
export class NotTried extends Error {}
