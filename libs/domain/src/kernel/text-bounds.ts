/** In code points: of names, client ids and reasons, of what is told when a conversation changes hands, and of messages. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_NOTE_LENGTH = 2_000;
export const MAX_CONTENT_LENGTH = 8_000;
