/** A replay takes nothing. */
export class ReplayDto {}
