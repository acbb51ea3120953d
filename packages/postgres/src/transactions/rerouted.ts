/** A node of Citus cannot do what it was asked for: it does not have all of it, or it does not answer. Nothing was done,
 *  and the coordinator can do it. */
export class Rerouted extends Error {
  constructor(cause?: unknown) {
    super('This goes through the coordinator.', { cause })
    this.name = 'Rerouted'
  }
}
