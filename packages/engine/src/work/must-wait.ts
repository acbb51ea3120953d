/** That work in the background cannot go on just now, through no fault of its own. It is begun again a few seconds later. */
export class MustWait extends Error {}
