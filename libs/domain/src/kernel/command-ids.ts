const MOST_REMEMBERED = 10;

/** What an aggregate carried out lately, newest last, so that a command that comes again is dropped (api-contract §11.9). */
export type CommandIds = readonly string[];

/** With one more, where the event names it; a command that made several events is there once. */
export function remembering(commandIds: CommandIds, commandId: string | undefined): CommandIds {
  return commandId === undefined || commandIds.at(-1) === commandId
    ? commandIds
    : [...commandIds, commandId].slice(-MOST_REMEMBERED);
}
