/** Maximum lengths in code points: of a name, a client's own id or a reason, and of a message's content. */
export const MAX_TEXT_LENGTH = 255;
export const MAX_CONTENT_LENGTH = 8_000;
