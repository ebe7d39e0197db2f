/** How many characters (code points) a name, an id of the client's own or a reason has at most, and what is said. */
export const LONGEST_TEXT = 255;
export const LONGEST_CONTENT = 8_000;
