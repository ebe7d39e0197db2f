export const MAX_BODY_BYTES = 256 * 1024;
/** Chunks as the client sends them or as they arrive. */
export const MAX_BODY_CHUNKS = 4_096;
/** Path and headers together. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** For all clients; streams and waits have places of their own among them. A single address has no limit of its own, because behind a proxy all clients share the proxy's. */
export const MAX_CONNECTIONS = 4_000;
/** Extra connections while the others are in use: only probes are answered there, everything else is refused. */
export const RESERVED_CONNECTIONS = 24;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
/** Printable ASCII; a header's value neither begins nor ends with a space. */
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]([ -~]*[!-~])?$';
