/** A replay has no members. */
export class ReplayDto {}
