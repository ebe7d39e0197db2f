/** In code points: of names, client ids and reasons, of notes and summaries of a hand-off, and of messages. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_NOTE_LENGTH = 2_000;
export const MAX_CONTENT_LENGTH = 8_000;
