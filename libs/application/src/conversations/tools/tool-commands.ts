/** The commands that the tool calls of one message make: named by the call's number, so that asking again repeats none. */
export class ToolCommands {
  private readonly prefix: string;

  constructor(messageId: string) {
    this.prefix = `${messageId}:tool:`;
  }

  idOf(call: number): string {
    return `${this.prefix}${call}`;
  }

  /** The number of the call that made a command; null for a command of anybody else. */
  callOf(commandId: string): number | null {
    return commandId.startsWith(this.prefix) ? Number(commandId.slice(this.prefix.length)) : null;
  }

  /** Tells whether a command is of a later call than this one, made when the turn was asked before. */
  after(call: { readonly commandId: string }): (commandId: string) => boolean {
    const number = this.callOf(call.commandId) ?? 0;
    return (commandId) => (this.callOf(commandId) ?? 0) > number;
  }
}
