const MAX_REMEMBERED = 10;

/**
 * The commands an aggregate executed lately, newest last, so that a retried command is dropped (api-contract §11.9).
 */
export type CommandIds = readonly string[];

/** Adds the event's command id, if it has one; a command that made several events is added once. */
export function remembering(commandIds: CommandIds, commandId: string | undefined): CommandIds {
  return commandId === undefined || commandIds.at(-1) === commandId
    ? commandIds
    : [...commandIds, commandId].slice(-MAX_REMEMBERED);
}
