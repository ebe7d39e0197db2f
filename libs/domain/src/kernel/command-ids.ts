const MAX_REMEMBERED = 10;

/** The latest commands of an aggregate, newest last, by which a retried command is dropped. */
export type CommandIds = readonly string[];

/** Adds the event's command id, if any; a command with several events is added once. */
export function remembering(commandIds: CommandIds, commandId: string | undefined): CommandIds {
  return commandId === undefined || commandIds.at(-1) === commandId
    ? commandIds
    : [...commandIds, commandId].slice(-MAX_REMEMBERED);
}
