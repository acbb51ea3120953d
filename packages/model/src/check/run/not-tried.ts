/** A pattern could not be tried, which says nothing about the pattern. The message gives the reason, to follow
 *  "because". */
export class NotTried extends Error {}
