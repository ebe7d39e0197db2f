/** Maximum lengths in code points: of a name, a client's own id or a reason, and of a message's content. */
export const LONGEST_TEXT = 255;
export const LONGEST_CONTENT = 8_000;
