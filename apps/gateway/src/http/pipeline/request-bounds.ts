/** What a body may have. */
export const MAX_BODY_BYTES = 256 * 1024;
/** In how many chunks it may come, as its client sends it or as it arrives. */
export const MAX_BODY_CHUNKS = 4_096;
/** Of path and headers together, so a part of a path is never longer. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Of all clients. An address has no bound of its own while it is alone: behind a proxy every client has the proxy's. */
export const MAX_CONNECTIONS = 1_000;
/** Beyond those, while all of them, or all of an address, are in use: a probe is answered in one, everything else refused. */
export const RESERVED_CONNECTIONS = 24;
/** In characters. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Printable ASCII; a header's value neither begins nor ends with a space. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]([ -~]*[!-~])?$';
