/** Background work cannot continue right now, through no fault of its own. It is started again a few seconds later. */
export class MustWait extends Error {}
