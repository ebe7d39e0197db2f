import type { EngineProcess } from '../engine-process.mjs';

/** One server, installed if missing, without transactions, sessions, users, TLS and deletion of expired documents. */
export function startMongoDb(options: { readonly directory: string }): Promise<EngineProcess>;
