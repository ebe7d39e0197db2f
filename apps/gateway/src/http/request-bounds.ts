/** What a body may have. */
export const MOST_BODY_BYTES = 256 * 1024;
/** Of path and headers together, so a part of a path is never longer. */
export const MOST_HEADER_BYTES = 16 * 1024;
